import type { TextCatalog } from '#language/types/catalog.ts'

/**
 * The texts behind one key. Words that count have plural forms (`hits_one`, `hits_other`), words with a context one text for each context
 * (`to_bank`, `to_wallet`), and the key itself may have no text at all.
 */
const pluralEnding = /_(?:ordinal_)?(?:zero|one|two|few|many|other)$/

/** Words of exactly this key in a language; undefined where there are none. */
export function wordsOf(texts: TextCatalog, language: string, key: string): string | undefined {
  const dot = key.indexOf('.')
  return texts[language]?.[key.slice(0, dot)]?.[key.slice(dot + 1)]
}

/** Keys that a value `{"$t": key, …}` may say in one language, in the order of its file. */
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
 * Keys whose texts are shown and edited for a value in one language: its own forms, and the contexts that other languages have and it lacks.
 * Where no language has a form, the key itself.
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
  // Plural forms are the language's own; of a text that it lacks altogether the general form is enough.
  const wanted = lacked.filter((key) => !pluralEnding.test(key) || key.endsWith('_other'))
  const all = [...own, ...wanted]
  return all.length > 0 ? all : [String(value.$t)]
}

/** Whether a language lacks words that a value says. */
export function lacksWords(
  texts: TextCatalog,
  languages: readonly string[],
  language: string,
  value: Readonly<Record<string, unknown>>,
): boolean {
  return formsOf(texts, languages, language, value).some((key) => (wordsOf(texts, language, key) ?? '').trim() === '')
}
