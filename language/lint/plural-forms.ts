import type { Facts } from '#language/documents/walk.ts'
import { areaOf } from '#language/expression/value.ts'
import { textProblem } from '#language/lint/locales.ts'
import { saidIn } from '#language/lint/text-keys.ts'
import { pluralOf } from '#language/lint/texts.ts'
import type { Check, World } from '#language/lint/world.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** A counted text has every plural form that its language needs, and none that the language never uses. */
export const pluralForms: Check = function* (world) {
  if (!world.app) return
  const tags = new Map(world.app.languages.map(({ id, tag }) => [id, tag]))
  const counted = countedStems(world)
  for (const language of world.languages) {
    for (const isOrdinal of [false, true]) {
      const needed = formsOf(tags.get(language) ?? language, isOrdinal)
      if (!needed) continue
      for (const [area, stems] of counted)
        for (const [stem, own] of formsIn(world.texts[language]?.[area] ?? {}, stems, isOrdinal))
          yield* compared(language, area, stem, needed, own)
    }
  }
}

/** In the order in which people count. */
const order = ['zero', 'one', 'two', 'few', 'many', 'other']

/** Plural forms of a language, `one` and `other` in English; undefined for what is no language tag. */
function formsOf(tag: string, isOrdinal: boolean): readonly string[] | undefined {
  try {
    const { pluralCategories } = new Intl.PluralRules(tag, { type: isOrdinal ? 'ordinal' : 'cardinal' }).resolvedOptions()
    return order.filter((form) => (pluralCategories as string[]).includes(form)).map((form) => (isOrdinal ? `ordinal_${form}` : form))
  } catch {
    return undefined
  }
}

/** Area → keys that are counted, without their endings: those that a document says with `count`, and those that any language has in two forms. */
function countedStems(world: World): ReadonlyMap<string, ReadonlySet<string>> {
  const counted = new Map<string, Set<string>>()
  const add = (area: string, stem: string) => counted.set(area, (counted.get(area) ?? new Set()).add(stem))
  for (const { facts, own } of world.entries)
    for (const key of [...countedIn(facts), ...(own === facts ? [] : countedIn(own))]) add(areaOf(key), key.slice(areaOf(key).length + 1))
  // One ending alone may be a word: `choose_one`.
  for (const language of world.languages)
    for (const [area, words] of Object.entries(world.texts[language] ?? {}))
      for (const [stem, forms] of formsOfWords(words)) if (forms.length > 1) add(area, stem)
  return counted
}

const counted = new WeakMap<Facts, readonly string[]>()
/** Keys that a document says with `count`. Whoever types changes one document, so what was found of the others is kept. */
function countedIn(facts: Facts): readonly string[] {
  const known =
    counted.get(facts) ??
    facts.values.flatMap(({ value, pointer }) =>
      [...saidIn(value, pointer)].flatMap(({ key, args }) => (args.includes('count') ? [key] : [])),
    )
  counted.set(facts, known)
  return known
}

type Words = Readonly<Record<string, string>>
const forms = new WeakMap<Words, ReadonlyMap<string, readonly string[]>>()
/** Key without its ending → the forms that an area has of it. */
function formsOfWords(words: Words): ReadonlyMap<string, readonly string[]> {
  const known = forms.get(words)
  if (known) return known
  const found = new Map<string, string[]>()
  for (const { stem, form } of Object.keys(words).flatMap((key) => pluralOf(key) ?? [])) found.set(stem, [...(found.get(stem) ?? []), form])
  forms.set(words, found)
  return found
}

/** Counted keys of an area with their forms. Keys without any form are left out: other checks tell of them. */
function* formsIn(words: Words, stems: ReadonlySet<string>, isOrdinal: boolean): Generator<readonly [string, readonly string[]]> {
  for (const [stem, all] of formsOfWords(words)) {
    const own = all.filter((form) => form.startsWith('ordinal_') === isOrdinal)
    if (stems.has(stem) && own.length > 0) yield [stem, own]
  }
}

function* compared(
  language: string,
  area: string,
  stem: string,
  needed: readonly string[],
  own: readonly string[],
): Generator<LintProblem> {
  const all = needed.join(', ')
  const at = (form: string) => `${stem}_${form}`
  for (const form of needed)
    if (!own.includes(form))
      yield {
        ...textProblem(
          'plural-forms',
          language,
          area,
          at(own.at(-1) ?? form),
          `"${area}.${stem}" has no form for "${form}"; ${language} counts ${all}`,
        ),
        suggestion: at(form),
      }
  for (const form of own)
    if (!needed.includes(form))
      yield textProblem('plural-forms', language, area, at(form), `"${area}.${at(form)}" is never shown; ${language} counts ${all}`, 'warn')
}
