import { areaOf } from '#language/expression/value.ts'
import type { World } from '#language/lint/world.ts'

const plural = /_(?:ordinal_)?(?:zero|one|two|few|many|other)$/

const contexts = new WeakMap<object, Map<string, string[]>>()

/** Contexts for which a key has a text, `""` for the text without one. */
export function contextsOf(world: World, language: string, key: string): string[] {
  const area = areaOf(key)
  const path = key.slice(area.length + 1)
  const words = world.texts[language]?.[area]
  if (!words) return []
  const known = contexts.get(words) ?? new Map<string, string[]>()
  contexts.set(words, known)
  const found =
    known.get(path) ??
    Object.keys(words).flatMap((name) => {
      if (!name.startsWith(path)) return []
      const stem = stemOf(name)
      if (name === path || stem === path) return ['']
      return name[path.length] === '_' ? [name.slice(path.length + 1), stem.slice(path.length + 1)] : []
    })
  known.set(path, found)
  return found
}

/** Key without the ending of a plural form, and the form: `done_one` is `done` and `one`. Ordinals are counted as `ordinal_one`. */
export function pluralOf(key: string): { stem: string; form: string } | undefined {
  const ending = plural.exec(key)
  return ending ? { stem: key.slice(0, ending.index), form: ending[0].slice(1) } : undefined
}

/** Key without the ending of a plural form. */
export function stemOf(key: string): string {
  return key.replace(plural, '')
}

/** Texts of a key in a language: the text itself, its plural forms when it is counted, and those of a context. */
export function textsOf(world: World, language: string, key: string, args: readonly string[]): string[] {
  const area = areaOf(key)
  const words = world.texts[language]?.[area]
  if (!words) return []
  const path = key.slice(area.length + 1)
  if (Object.hasOwn(words, path)) return [words[path] as string]
  if (!args.includes('count') && !args.includes('context')) return []
  return Object.entries(words).flatMap(([name, text]) =>
    stemOf(name) === path || (args.includes('context') && name.startsWith(`${path}_`)) ? [text] : [],
  )
}

/** How wide a text is, in letters: Chinese, Japanese and Korean ones are twice as wide, and marks above or below a letter take no room. */
export function textWidth(text: string): number {
  const plain = text.replace(/\{\{.*?\}\}/g, 'x'.repeat(placeholderWidth)).replace(/\p{M}/gu, '')
  return [...plain].reduce((width, letter) => width + (wide.test(letter) ? 2 : 1), 0)
}

/** What an amount, a name of a coin or the like takes at least. */
const placeholderWidth = 4
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30a0-\u30ff\u3000-\u303f\uff01-\uff60]/u

/** Names that a text puts in: `{{name}}`, `{{amount, number}}`. */
export function placeholdersOf(text: string): string[] {
  if (!text.includes('{{')) return []
  return [...text.matchAll(/\{\{-?\s*([A-Za-z_][\w.]*)\s*(?:,[^}]*)?\}\}/g)].map(([, name]) => (name as string).split('.', 1)[0] as string)
}
