import { imports, type NewFile, type Registry } from '#scripts/new/new.files.ts'

/** Files of `npm run new:widget`. Pure functions, which can be tested without a folder. */

/** Where widgets are registered. */
export const registry: Registry = {
  file: 'widgets/registry.ts',
  list: 'widgets',
  path: (type) => `#widgets/${type}/${type}.widget.ts`,
  nameIn: /#widgets\/([^/]+)\/\1\.widget\.ts/,
}

const limits = { typeLengthMax: 40 } as const
/** Names with another meaning in `widgets/` or in the engine. */
const taken = new Set(['parts', 'screen', 'registry', 'manifest', 'functions'])
const reserved = new Set(
  'break case catch class const continue debugger default delete do else enum export extends false finally for function if import in instanceof new null return super switch this throw true try typeof var void while with yield let static await async of'.split(
    ' ',
  ),
)

/**
 * Why a widget may not have this name; undefined when it may.
 * @param existing existing types
 */
export function refusal(type: string, existing: readonly string[]): string | undefined {
  if (type === '') return 'a type is required, such as: npm run new:widget meter-bar'
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(type))
    return `${type}: use small letters and digits, parts joined by one dash, a letter first`
  if (type.length > limits.typeLengthMax) return `${type} is longer than ${limits.typeLengthMax} characters`
  if (taken.has(type)) return `${type} has another meaning here`
  if (existing.includes(type)) return `there is already a widget ${type}`
  return undefined
}

export function namesOf(type: string): { view: string; constant: string } {
  const view = type
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
  const camel = view.charAt(0).toLowerCase() + view.slice(1)
  return { view, constant: reserved.has(camel) ? `${camel}Widget` : camel }
}

/** The folder of a working widget that marks what to change. */
export function filesOf(type: string): NewFile[] {
  const { view, constant } = namesOf(type)
  const folder = `widgets/${type}`
  const schema = `${view.charAt(0).toLowerCase()}${view.slice(1)}Props`
  return [
    {
      path: `${folder}/${type}.props.ts`,
      text: `${imports(`{ text } from '#widgets/parts/props.ts'`, `{ z } from '#zod'`)}

export const ${schema} = z.object({
  label: text(),
  note: text().optional(),
})
export type ${view}Props = z.output<typeof ${schema}>
`,
    },
    {
      path: `${folder}/${type}.widget.ts`,
      text: `${imports(`{ defineWidget } from '#renderer/widget-api.ts'`, `{ ${view} } from '#widgets/${type}/${view}.tsx'`, `{ ${schema} } from '#widgets/${type}/${type}.props.ts'`)}

export const ${constant} = defineWidget({
  type: '${type}',
  props: ${schema},
  events: ['press'],
  label: 'label',
  states: { loading: 'skeleton', error: 'card' },
  view: ${view},
})
`,
    },
    {
      path: `${folder}/${view}.tsx`,
      text: `${imports(`type { ViewProps } from '#renderer/widget-api.ts'`, `{ classes } from '#widgets/parts/look/classes.ts'`, `styles from '#widgets/${type}/${view}.module.css'`, `type { ${view}Props } from '#widgets/${type}/${type}.props.ts'`)}

export function ${view}({ root, props, emit, busy, enabled }: ViewProps<${view}Props, 'press'>) {
  const { label, note } = props
  return (
    <button
      {...root}
      type="button"
      className={classes('pressable', styles.box)}
      disabled={!enabled}
      aria-disabled={busy || undefined}
      onClick={busy ? undefined : () => emit('press')}
    >
      <span>{label}</span>
      {note && <span className={styles.note}>{note}</span>}
    </button>
  )
}
`,
    },
    {
      path: `${folder}/${view}.module.css`,
      text: `.box {
  display: grid;
  width: 100%;
  min-height: var(--target);
  padding: var(--space-2) var(--gutter);
  text-align: start;
  overflow-wrap: anywhere;
}
.box:disabled {
  opacity: 0.45;
}
.note {
  color: var(--quiet);
  font-size: var(--type-sm);
}
`,
    },
    {
      path: `${folder}/${type}.example.json`,
      text: `{
  "about": "Says in one line what it is for",
  "examples": [
    { "name": "with a note", "props": { "label": "A label", "note": "What it is about" } },
    { "name": "plain", "props": { "label": "A label" } }
  ]
}
`,
    },
    {
      path: `${folder}/${view}.test.tsx`,
      text: `${imports(`{ renderToStaticMarkup } from 'react-dom/server'`, `{ expect, test, vi } from 'vitest'`, `{ ${view} } from '#widgets/${type}/${view}.tsx'`)}

// In place of the engine: a hook that the view begins to use gets its line here.
vi.mock('#renderer/widget-api.ts', () => ({
  useEngineText: () => (key: string) => key,
  useFormat: () => ({ amount: String, percent: String, dateTime: String }),
}))

const engineProps = { root: { 'data-node': 'n' }, emit: () => undefined, busy: false, enabled: true, status: 'ready', retry: () => undefined, slots: {} } as const

test.each([
  ['with a note', { label: 'A label', note: 'A note' }, ['A label', 'A note'], []],
  ['without a note', { label: 'A label' }, ['A label'], ['A note']],
])('%s', (_, props, shows, shows_not) => {
  const html = renderToStaticMarkup(<${view} {...engineProps} props={props} />)
  expect(html).toContain('data-node="n"')
  for (const text of shows) expect(html).toContain(text)
  for (const text of shows_not) expect(html).not.toContain(text)
})

test('a widget that is not enabled cannot be pressed', () => {
  expect(renderToStaticMarkup(<${view} {...engineProps} enabled={false} props={{ label: 'A label' }} />)).toContain('disabled=""')
})
`.replaceAll('shows_not', 'never'),
    },
  ]
}
