import { isObject } from '#language/documents/json.ts'
import { formatNow } from '#language/documents/nodes.ts'

/** Kinds of which operators can create documents. */
export const newKinds = ['screen', 'form', 'prompt', 'validation', 'quick-entries', 'fragment'] as const
export type NewKind = (typeof newKinds)[number]

const folders: Record<NewKind, string> = {
  screen: 'screens',
  form: 'forms',
  prompt: 'prompts',
  validation: 'validations',
  'quick-entries': 'quick-entries',
  fragment: 'fragments',
}

/** Path of a document. Parts of a screen's or form's id are folders: `fund.withdraw` is fund/withdraw.json. */
export function pathOf(kind: NewKind, id: string): string {
  const name = kind === 'screen' || kind === 'form' ? id.replaceAll('.', '/') : id
  return `schemas/${folders[kind]}/${name}.json`
}

const idPattern = /^[A-Za-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+)*$/

/** Why an id is refused; null where it is allowed. `taken`: existing paths. */
export function refuseId(kind: NewKind, id: string, taken: ReadonlySet<string>): 'empty' | 'letters' | 'long' | 'taken' | null {
  if (id === '') return 'empty'
  if (id.length > 80) return 'long'
  if (!idPattern.test(id)) return 'letters'
  return taken.has(pathOf(kind, id)) ? 'taken' : null
}

/** The smallest document of a kind that shows something. `key` is the key of its text. */
export function templateOf(kind: NewKind, id: string, key: string): Record<string, unknown> {
  const depth = pathOf(kind, id).split('/').length - 2
  const start = { $schema: `${'../'.repeat(depth)}meta/${kind}.schema.json`, kind, id, format: formatNow }
  const words = { $t: key }
  if (kind === 'screen') return { ...start, title: words, body: [{ id: 'intro', widget: 'text', props: { text: words } }] }
  if (kind === 'form')
    return {
      ...start,
      fields: [{ name: 'text', type: 'string', label: words, required: true, maxLength: 200 }],
      submit: { label: words, steps: [{ toast: { $: 'form.text' } }, { back: true }] },
    }
  if (kind === 'prompt') return { ...start, title: words, ok: words }
  if (kind === 'validation') return { ...start, test: 'len(value) > 0', message: words }
  if (kind === 'quick-entries') return { ...start, entries: [{ id: 'first', icon: 'star', label: words, to: '/' }] }
  return { ...start, body: [{ id: `${id.replaceAll('.', '-')}-text`, widget: 'text', props: { text: words } }] }
}

/** A copy under another id. The ids of its nodes stay, because they are unique within one document only. */
export function copyOf(doc: unknown, kind: NewKind, id: string): Record<string, unknown> {
  const { $schema, ...rest } = isObject(doc) ? doc : {}
  const depth = pathOf(kind, id).split('/').length - 2
  return { ...($schema !== undefined && { $schema: `${'../'.repeat(depth)}meta/${kind}.schema.json` }), ...rest, id }
}

/** An address as the routes document writes it: without `#` and without outer slashes. */
export function addressOf(typed: string): string {
  const trimmed = typed.trim().replace(/^#/, '')
  return trimmed.replaceAll(/^\/+|\/+$/g, '') || (trimmed === '' ? '' : '/')
}

/** The screen that has an address as its path or as an alias; null where the address is free. */
export function holderOf(routes: unknown, address: string): string | null {
  const all = isObject(routes) && isObject(routes.routes) ? routes.routes : {}
  for (const [path, route] of Object.entries(all)) {
    const names = [path, ...(isObject(route) && Array.isArray(route.aliases) ? route.aliases : [])]
    if (names.some((name) => typeof name === 'string' && addressOf(name) === address)) return isObject(route) ? String(route.screen) : path
  }
  return null
}
