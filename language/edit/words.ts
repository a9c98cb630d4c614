import { stemOf } from '#language/lint/texts.ts'
import type { TextCatalog } from '#language/types/catalog.ts'

/** Language in which a word is given that another language lacks. */
export const baseLanguage = 'en'
/** Stands before a text that is a copy of the English one and waits for its translation. Nothing that has it is published. */
export const copyMark = '[en] '
const isCopy = (text: string): boolean => text.startsWith(copyMark)

/** A word that is not translated. `missing`: the language has no text; `copy`: one with the mark; `same`: one that is equal to the English text. */
export interface Untranslated {
  language: string
  area: string
  /** Key below the area. */
  path: string
  english: string
  is: 'missing' | 'copy' | 'same'
}

/** Something to translate: a letter outside of placeholders. */
const hasLetters = (text: string) => /\p{L}/u.test(text.replace(/\{\{.*?\}\}/g, ''))

/**
 * Every word of the languages that is not translated, in the order of the English texts. A word that is counted is there when the language has
 * one of its forms, because languages count by different rules.
 */
export function untranslated(texts: TextCatalog, languages: readonly string[]): Untranslated[] {
  return languages.flatMap((language) => (language === baseLanguage ? [] : ofLanguage(texts, language)))
}

function ofLanguage(texts: TextCatalog, language: string): Untranslated[] {
  return Object.entries(texts[baseLanguage] ?? {}).flatMap(([area, words]) => {
    const own = texts[language]?.[area] ?? {}
    const stems = new Set(Object.keys(own).map(stemOf))
    return Object.entries(words).flatMap(([path, english]): Untranslated[] => {
      const text = Object.hasOwn(own, path) ? own[path] : undefined
      const is = !stems.has(stemOf(path)) ? 'missing' : text === undefined ? undefined : stateOf(text, english)
      return is ? [{ language, area, path, english, is }] : []
    })
  })
}

function stateOf(text: string, english: string): 'copy' | 'same' | undefined {
  if (isCopy(text)) return 'copy'
  return text === english && hasLetters(english) ? 'same' : undefined
}

/** The texts with a marked copy of the English one wherever a language has none. A new catalog. */
export function withCopies(texts: TextCatalog, languages: readonly string[]): TextCatalog {
  const all: TextCatalog = Object.fromEntries(
    [...new Set([...Object.keys(texts), ...languages])].map((language) => [language, { ...texts[language] }]),
  )
  for (const { language, area, path, english, is } of untranslated(texts, Object.keys(all))) {
    const areas = all[language]
    if (areas && is === 'missing') areas[area] = { ...areas[area], [path]: copyMark + english }
  }
  return all
}

/** The texts as if every marked copy were a translation. A new catalog. */
export function withoutMarks(texts: TextCatalog): TextCatalog {
  const plain = (words: Record<string, string>) =>
    Object.fromEntries(Object.entries(words).map(([path, text]) => [path, isCopy(text) ? text.slice(copyMark.length) : text]))
  return Object.fromEntries(
    Object.entries(texts).map(([language, areas]) => [
      language,
      Object.fromEntries(Object.entries(areas).map(([area, words]) => [area, plain(words)])),
    ]),
  )
}

export interface WordTree {
  [name: string]: string | WordTree
}

/**
 * One file of words with marked copies of what it lacks, each behind the word that stands before it in English.
 * @param own the file as it is; empty when there is none
 * @param lacks keys of what is missing
 */
export function filled(own: WordTree, english: WordTree, lacks: ReadonlySet<string>, above = ''): WordTree {
  const entries = Object.entries(own)
  let last = -1
  for (const [name, value] of Object.entries(english)) {
    const path = above ? `${above}.${name}` : name
    const at = entries.findIndex(([key]) => key === name)
    const mine = entries[at]?.[1]
    if (typeof value === 'object') {
      const inside = filled(typeof mine === 'object' ? mine : {}, value, lacks, path)
      if (at >= 0) entries[at] = [name, inside]
      else if (Object.keys(inside).length > 0) entries.splice(last + 1, 0, [name, inside])
    } else if (at < 0 && lacks.has(path)) entries.splice(last + 1, 0, [name, copyMark + value])
    const now = entries.findIndex(([key]) => key === name)
    if (now >= 0) last = now
  }
  return Object.fromEntries(entries)
}
