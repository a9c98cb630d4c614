import { formsOf, pluralOf, stemOf } from '#language/lint/texts.ts'
import type { TextCatalog } from '#language/types/catalog.ts'

/** Fallback language for texts that another language lacks. */
export const baseLanguage = 'en'
/** Prefix of a text that is a copy of the English one and still to be translated. Such texts are not published. */
export const copyMark = '[en] '
const isCopy = (text: string): boolean => text.startsWith(copyMark)

type Words = Record<string, string>

/**
 * A text that is not translated. `missing`: the language has no text; `copy`: a text with the prefix; `same`: a text equal to the English
 * one.
 */
export interface Untranslated {
  language: string
  area: string
  /** Key below the area. */
  path: string
  english: string
  is: 'missing' | 'copy' | 'same'
}

/** Whether there is something to translate: a letter outside placeholders. */
const hasLetters = (text: string) => /\p{L}/u.test(text.replace(/\{\{.*?\}\}/g, ''))

/**
 * All texts of the languages that are not translated, in the order of the English texts. A counted text counts as translated when the
 * language has one of its forms, because plural rules differ.
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

/**
 * Adds a marked copy of the English text wherever a language has none. Returns a new catalog.
 * @param tags language → BCP 47 tag, whose plural forms a counted text gets
 */
export function withCopies(texts: TextCatalog, tags: ReadonlyMap<string, string>): TextCatalog {
  const languages = [...new Set([...Object.keys(texts), ...tags.keys()])]
  return Object.fromEntries(
    languages.map((language) => {
      const areas = { ...texts[language] }
      for (const [area, lacks] of missingIn(texts, language))
        areas[area] = filled(areas[area] ?? {}, texts[baseLanguage]?.[area] ?? {}, lacks, tags.get(language) ?? language) as Words
      return [language, areas]
    }),
  )
}

/** Area → keys that a language lacks. */
function missingIn(texts: TextCatalog, language: string): ReadonlyMap<string, ReadonlySet<string>> {
  const lacks = new Map<string, Set<string>>()
  for (const { area, path, is } of untranslated(texts, [language]))
    if (is === 'missing') lacks.set(area, (lacks.get(area) ?? new Set()).add(path))
  return lacks
}

/** Removes the marks, as if every copy were a translation. Returns a new catalog. */
export function withoutMarks(texts: TextCatalog): TextCatalog {
  const plain = (words: Words) =>
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
 * Texts of one area with marked copies of the missing ones, in the order of the English ones. Nested and flat keys both work.
 * @param own the texts of the language; empty when it has no file
 * @param lacks keys of the missing texts
 * @param tag BCP 47, of the language whose plural forms a counted text gets
 */
export function filled(own: WordTree, english: WordTree, lacks: ReadonlySet<string>, tag: string, above = ''): WordTree {
  const entries = Object.entries(own)
  let last = -1
  for (const [name, value] of Object.entries(inFormsOf(tag, english))) {
    const path = above ? `${above}.${name}` : name
    const at = entries.findIndex(([key]) => key === name)
    const mine = entries[at]?.[1]
    if (typeof value === 'object') {
      const inside = filled(typeof mine === 'object' ? mine : {}, value, lacks, tag, path)
      if (at >= 0) entries[at] = [name, inside]
      else if (Object.keys(inside).length > 0) entries.splice(last + 1, 0, [name, inside])
    } else if (at < 0 && (lacks.has(path) || lacks.has(`${stemOf(path)}_other`))) entries.splice(last + 1, 0, [name, copyMark + value])
    const now = entries.findIndex(([key]) => key === name)
    if (now >= 0) last = now
  }
  return Object.fromEntries(entries)
}

/** English texts of one level, those that are counted in the plural forms of another language. */
function inFormsOf(tag: string, english: WordTree): WordTree {
  const isCounted = (name: string) => pluralOf(name)?.form === 'other' && Object.hasOwn(english, `${stemOf(name)}_one`)
  const counted = new Set(Object.keys(english).filter(isCounted).map(stemOf))
  const forms = formsOf(tag, false) ?? ['other']
  return Object.fromEntries(
    Object.entries(english).flatMap(([name, value]) => {
      const stem = stemOf(name)
      if (!counted.has(stem)) return [[name, value]]
      return isCounted(name) ? forms.map((form) => [`${stem}_${form}`, english[`${stem}_${form}`] ?? value]) : []
    }),
  )
}
