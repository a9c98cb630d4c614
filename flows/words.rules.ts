import type { TextCatalog } from '#language/types/catalog.ts'

const special = /[.*+?^${}()|[\]\\]/g
const escaped = (text: string) => text.replace(special, '\\$&').replace(/\s+/g, '\\s+')

/** Regular expression for a text with placeholders: given arguments literally, any text for the others. */
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

/** Key of the text: that of its context when there is one. */
function textFor(key: unknown, context: unknown, texts: TextCatalog, language: string) {
  const [area = '', ...rest] = String(key).split('.')
  const words = texts[language]?.[area] ?? {}
  const [plain, own] = [rest.join('.'), `${rest.join('.')}_${String(context)}`]
  return { words, path: typeof context === 'string' && Object.hasOwn(words, own) ? own : plain }
}

/**
 * Pattern of the text that must be on the screen: a literal text, or that of a key in a language. Case and white space are ignored, because
 * styles change both. Undefined for a key without a text.
 */
export function wordsOf(value: unknown, texts: TextCatalog, language: string): RegExp | undefined {
  if (typeof value !== 'object' || value === null || !('$t' in value)) return new RegExp(escaped(String(value).trim()), 'is')
  const { $t: key, context, ...args } = value as Record<string, unknown>
  const { words, path } = textFor(key, context, texts, language)
  const forms = [path, ...['zero', 'one', 'two', 'few', 'many', 'other'].map((form) => `${path}_${form}`)]
  const found = forms.flatMap((form) => (Object.hasOwn(words, form) ? [patternOf(words[form] as string, args)] : []))
  return found.length === 0 ? undefined : new RegExp(found.join('|'), 'is')
}

/** Name of a flow's text in a message. */
export function named(value: unknown, texts: TextCatalog, language: string): string {
  if (typeof value !== 'object' || value === null || !('$t' in value)) return JSON.stringify(value)
  const { words, path } = textFor(value.$t, 'context' in value ? value.context : undefined, texts, language)
  return `${JSON.stringify(words[path] ?? '')} (${String(value.$t)})`
}
