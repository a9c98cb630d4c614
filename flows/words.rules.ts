import type { TextCatalog } from '#language/types/catalog.ts'

const special = /[.*+?^${}()|[\]\\]/g
const escaped = (text: string) => text.replace(special, '\\$&').replace(/\s+/g, '\\s+')

/** Pattern of a text with placeholders: arguments that are known stand as they are, of others anything fits. */
function patternOf(text: string, args: Readonly<Record<string, unknown>>): string {
  return text
    .split(/(\{\{[^}]*\}\}|<[^>]*>)/)
    .map((part) => {
      const name = /^\{\{\s*-?\s*([\w.]+)/.exec(part)?.[1]
      if (name === undefined) return part.startsWith('<') ? '' : escaped(part)
      const value = args[name]
      return typeof value === 'string' || typeof value === 'number' ? escaped(String(value)) : '.*?'
    })
    .join('')
}

/** Where a text stands: that of its context, where it has one of its own. */
function textFor(key: unknown, context: unknown, texts: TextCatalog, language: string) {
  const [area = '', ...rest] = String(key).split('.')
  const words = texts[language]?.[area] ?? {}
  const [plain, own] = [rest.join('.'), `${rest.join('.')}_${String(context)}`]
  return { words, path: typeof context === 'string' && Object.hasOwn(words, own) ? own : plain }
}

/**
 * What must be read on the screen for a text of a flow: words as they stand, or those of a key in a language. Case and white space make no
 * difference, because styles change both. Undefined for a key that has no text.
 */
export function wordsOf(value: unknown, texts: TextCatalog, language: string): RegExp | undefined {
  if (typeof value !== 'object' || value === null || !('$t' in value)) return new RegExp(escaped(String(value).trim()), 'is')
  const { $t: key, context, ...args } = value as Record<string, unknown>
  const { words, path } = textFor(key, context, texts, language)
  const forms = [path, ...['zero', 'one', 'two', 'few', 'many', 'other'].map((form) => `${path}_${form}`)]
  const found = forms.flatMap((form) => (Object.hasOwn(words, form) ? [patternOf(words[form] as string, args)] : []))
  return found.length === 0 ? undefined : new RegExp(found.join('|'), 'is')
}

/** How a text of a flow is called in a message. */
export function named(value: unknown, texts: TextCatalog, language: string): string {
  if (typeof value !== 'object' || value === null || !('$t' in value)) return JSON.stringify(value)
  const { words, path } = textFor(value.$t, 'context' in value ? value.context : undefined, texts, language)
  return `${JSON.stringify(words[path] ?? '')} (${String(value.$t)})`
}
