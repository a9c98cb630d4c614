import type { TextCatalog } from '#language/types/catalog.ts'

/**
 * The texts behind one key. A text with a count has plural forms (`hits_one`, `hits_other`), a text with a context has one text per context
 * (`to_bank`, `to_wallet`), and the key itself may have no text at all.
 */
const pluralEnding = /_(?:ordinal_)?(?:zero|one|two|few|many|other)$/

/** The text of exactly this key in a language; undefined where there is none. */
export function wordsOf(texts: TextCatalog, language: string, key: string): string | undefined {
  const dot = key.indexOf('.')
  return texts[language]?.[key.slice(0, dot)]?.[key.slice(dot + 1)]
}

/** Keys that a value `{"$t": key, …}` may show in one language, in the order of its file. */
function formsIn(texts: TextCatalog, language: string, value: Readonly<Record<string, unknown>>): string[] {
  const key = String(value.$t)
  const dot = key.indexOf('.')
  const [area, path] = [key.slice(0, dot), key.slice(dot + 1)]
  return Object.keys(texts[language]?.[area] ?? {}).flatMap((name) => {
    const stem = name.replace(pluralEnding, '')
    const isForm =
      name === path ||
      ('count' in value && stem === path) ||
      ('context' in value && (name.startsWith(`${path}_`) || stem.startsWith(`${path}_`)))
    return isForm ? [`${area}.${name}`] : []
  })
}

/**
 * Keys whose texts are shown and edited for a value in one language: its own forms, and contexts that only other languages have.
 * The key itself where no language has a form.
 */
export function formsOf(
  texts: TextCatalog,
  languages: readonly string[],
  language: string,
  value: Readonly<Record<string, unknown>>,
): string[] {
  const own = formsIn(texts, language, value)
  const others = languages.flatMap((one) => formsIn(texts, one, value))
  const stem = (key: string) => key.replace(pluralEnding, '')
  const lacked = others.filter((key, i) => others.indexOf(key) === i && !own.some((one) => stem(one) === stem(key)))
  // Each language has its own plural forms. Where it has no text at all, the general form is enough.
  const wanted = lacked.filter((key) => !pluralEnding.test(key) || key.endsWith('_other'))
  const all = [...own, ...wanted]
  return all.length > 0 ? all : [String(value.$t)]
}

/** Whether a language lacks a text that a value shows. */
export function lacksWords(
  texts: TextCatalog,
  languages: readonly string[],
  language: string,
  value: Readonly<Record<string, unknown>>,
): boolean {
  return formsOf(texts, languages, language, value).some((key) => (wordsOf(texts, language, key) ?? '').trim() === '')
}
