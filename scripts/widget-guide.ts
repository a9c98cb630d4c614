import type { Example, ExampleFile } from '#app/gallery/cases.ts'
import { propFacts, slotWords } from '#app/gallery/schema.ts'
import { printPart } from '#language/text/json-text.ts'
import type { WidgetManifest } from '#language/types/catalog.ts'
import type { StateRules } from '#renderer/core/registry.ts'

/**
 * Generates docs/guides/widgets.md: props, slots, events and examples of each widget, from the manifest and the example files. `npm run
 * generate -- --check` compares it.
 */
const head = `# Widgets

Every widget of this build, for those who write screens. Made by \`npm run generate\` from the passports and the examples: change those, not this page.
\`npm run dev\`, then \`/gallery\`, shows the same widgets alive, in every state, theme, text size and language.

A property takes a literal, an expression (\`"= data.site.name"\`) or a text by its key (\`"@market.movers"\`); *text* is read by people and must be given by key. What a widget waits for are the data sources
that its properties read. The states say who draws what meanwhile: *self* the widget, *skeleton*, *card* and *badge* the engine, *none* nobody.
`

/** A cell of a table, with escaped separators. */
export const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ').replaceAll('<', '&lt;') || '–'
export const code = (text: string) => `\`${text}\``

/** Purpose of a widget: from its example file, otherwise from the names of its examples. */
export function purposeOf({ about, examples }: ExampleFile): string {
  if (about) return `${about.replace(/\.$/, '')}.`
  return examples.length === 0 ? 'It has no examples yet.' : `Examples: ${examples.map(({ name }) => name).join('; ')}.`
}

function stateLine(states: StateRules): string {
  const { loading, error, stale, empty } = states
  const parts = [`loading ${loading}`, `error ${error}`, `stale ${stale}`]
  if (empty) parts.push(`empty ${empty.by} when ${code(empty.prop)} has nothing in it`)
  return parts.join(', ')
}

/** The example as it would be written in a screen, or for a field in a form. */
function written(type: string, { name: _, state: __, form, ...rest }: Example): unknown {
  const field = type === 'form' ? undefined : form?.fields?.find(({ widget }) => widget === type)
  return field ? { ...field, ...rest } : { id: type, widget: type, ...rest }
}

function sectionOf(widget: WidgetManifest, file: ExampleFile): string {
  const { type, major, events, slots, label } = widget
  const props = propFacts(widget)
  const example = file.examples[0]
  const lines = [`## ${type}`, '', purposeOf(file), '']
  if (props.length > 0) {
    lines.push('| property | type | notes |', '| --- | --- | --- |')
    for (const { name, type: kind, required, notes } of props)
      lines.push(`| ${code(name)}${required ? ' **required**' : ''} | ${cell(kind)} | ${cell(notes)} |`)
    lines.push('')
  }
  if (major > 1) lines.push(`- Version: ${major}`)
  if (events.length > 0) lines.push(`- Events: ${events.map(code).join(', ')}`)
  const holes = Object.entries(slots).map(([name, rule]) => `${code(name)} (${slotWords(rule)})`)
  if (holes.length > 0) lines.push(`- Slots: ${holes.join(', ')}`)
  if (label !== null) lines.push(`- Named to assistive technology by ${code(label)}`)
  lines.push(`- States: ${stateLine(widget.states as unknown as StateRules)}`, '')
  if (example) {
    lines.push('```json', printPart(written(type, example)), '```', '')
  }
  return lines.join('\n')
}

/** @param fileOf examples of a type; undefined for one without a file */
export function widgetGuide(widgets: readonly WidgetManifest[], fileOf: (type: string) => ExampleFile): string {
  const index = widgets.map(({ type }) => `[${type}](#${type})`).join(' · ')
  return `${[head, index, '', ...widgets.map((widget) => sectionOf(widget, fileOf(widget.type)))].join('\n').trimEnd()}\n`
}
