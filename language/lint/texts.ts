import type { World } from '#language/lint/world.ts'
import { areaOf } from '#language/value.ts'

const plural = /_(?:ordinal_)?(?:zero|one|two|few|many|other)$/

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

/** Names that a text puts in: `{{name}}`, `{{amount, number}}`. */
export function placeholdersOf(text: string): string[] {
  if (!text.includes('{{')) return []
  return [...text.matchAll(/\{\{-?\s*([A-Za-z_][\w.]*)\s*(?:,[^}]*)?\}\}/g)].map(([, name]) => (name as string).split('.', 1)[0] as string)
}
