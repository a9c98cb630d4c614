import type { ScreenDoc } from '#language/documents/documents.ts'
import { nearest } from '#language/documents/nearest.ts'
import { namedIn } from '#language/documents/prepare.ts'
import type { Facts, StepPlace } from '#language/documents/walk.ts'
import { copyMark, untranslated } from '#language/edit/words.ts'
import { areaOf } from '#language/expression/value.ts'
import { statusTexts } from '#language/lint/meaning/statuses.ts'
import { isOption } from '#language/lint/steps.ts'
import { formsOf, placeholdersOf, pluralOf, saidIn, stemOf } from '#language/lint/texts.ts'
import { answersOf, expressionsOf, operationsIn, pathOf } from '#language/lint/trees.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/**
 * Checks that all languages have the same keys with the same placeholders, and that each text is used. Areas used by code only are exempt.
 */
export const locales: Check = function* (world) {
  const { problems, stems } = findingsOf(world)
  yield* problems
  const said = new Set(
    world.entries.flatMap((entry) => [
      ...[...entry.facts.values, ...entry.own.values].flatMap(({ value, pointer }) => [...saidIn(value, pointer)].map(({ key }) => key)),
      ...[...entry.facts.nodes, ...entry.own.nodes].flatMap(({ node }) => stemsIn(world, node)),
      ...statusTexts(world, entry),
    ]),
  )
  const saidAreas = new Set([...said].map(areaOf))
  for (const [area, own] of stems) {
    if (!saidAreas.has(area)) continue
    for (const stem of own) {
      const key = `${area}.${stem}`
      if (!said.has(key) && ![...said].some((other) => key.startsWith(`${other}_`)))
        yield problem(world.languages[0] ?? '', area, stem, `no document uses "${key}"`, 'warn')
    }
  }
}

/** Stems of texts that a widget names as such: it shows a text of the stem for each value of a row. */
function stemsIn(world: World, { widget, props }: { widget: string; props?: unknown }): string[] {
  const known = world.widget(widget)
  return known ? [...namedIn(props ?? {}, known.props)].flatMap(([kind, id]) => (kind === 'text' ? [id] : [])) : []
}

interface Findings {
  languages: readonly string[]
  problems: readonly LintProblem[]
  /** Keys without plural endings, by area. */
  stems: ReadonlyMap<string, readonly string[]>
}
const found = new WeakMap<World['texts'], Findings>()

/** Findings about the texts alone. They are cached, because editing a document does not change the texts. */
function findingsOf(world: World): Findings {
  const known = found.get(world.texts)
  if (known && known.languages.join() === world.languages.join()) return known
  const areas = new Set(world.languages.flatMap((language) => Object.keys(world.texts[language] ?? {})))
  const stems = new Map<string, readonly string[]>()
  const problems = [...ofTexts(world)]
  for (const area of areas) {
    const byStem = stemsOf(world, area)
    const broken = unclosed(world, area)
    for (const [stem, languages] of byStem) problems.push(...unlikeStem(world, area, stem, languages, broken))
    stems.set(area, [...byStem.keys()])
  }
  const findings = { languages: world.languages, problems, stems }
  found.set(world.texts, findings)
  return findings
}

/** Finds untranslated and empty texts. */
function* ofTexts(world: World): Generator<LintProblem> {
  for (const { language, area, path, is } of untranslated(world.texts, world.languages))
    if (is === 'copy')
      yield problem(language, area, path, `"${area}.${path}" is still English in ${language}; it begins with "${copyMark.trim()}"`)
  for (const language of world.languages)
    for (const [area, words] of Object.entries(world.texts[language] ?? {}))
      for (const [path, text] of Object.entries(words))
        if (text.trim() === '') yield problem(language, area, path, `"${area}.${path}" is empty in ${language}`)
}

/** Key without plural ending → language → placeholders of its texts. */
function stemsOf(world: World, area: string): Map<string, Map<string, Set<string>>> {
  const stems = new Map<string, Map<string, Set<string>>>()
  for (const language of world.languages) {
    for (const [path, text] of Object.entries(world.texts[language]?.[area] ?? {})) {
      const stem = stemOf(path)
      const languages = stems.get(stem) ?? new Map<string, Set<string>>()
      const names = languages.get(language) ?? new Set<string>()
      for (const name of placeholdersOf(text)) names.add(name)
      languages.set(language, names)
      stems.set(stem, languages)
    }
  }
  return stems
}

/** Language → keys with a text whose braces are not closed. */
function unclosed(world: World, area: string): Map<string, Set<string>> {
  return new Map(
    world.languages.map((language) => {
      const words = Object.entries(world.texts[language]?.[area] ?? {})
      return [
        language,
        new Set(words.flatMap(([path, text]) => (text.split('{{').length === text.split('}}').length ? [] : [stemOf(path)]))),
      ]
    }),
  )
}

function* unlikeStem(
  world: World,
  area: string,
  stem: string,
  languages: ReadonlyMap<string, ReadonlySet<string>>,
  broken: ReadonlyMap<string, ReadonlySet<string>>,
): Generator<LintProblem> {
  // Placeholders that most languages use are correct; in a tie, those that any language uses.
  const using = (name: string) => [...languages].filter(([, names]) => names.has(name)).map(([language]) => language)
  const every = [...new Set([...languages.values()].flatMap((names) => [...names]))]
  const names = every.filter((name) => using(name).length * 2 >= languages.size)
  for (const language of world.languages) {
    const have = languages.get(language)
    if (!have) {
      yield problem(language, area, stem, `"${area}.${stem}" has no text in ${language}`)
      continue
    }
    for (const name of names)
      if (!have.has(name))
        yield problem(language, area, stem, `"${area}.${stem}" uses {{${name}}} in ${using(name)[0]}, not in ${language}`)
    for (const name of have)
      if (!names.includes(name))
        yield problem(language, area, stem, `"${area}.${stem}" uses {{${name}}} in ${language}, unlike most languages`)
  }
  for (const language of world.languages) {
    if (broken.get(language)?.has(stem)) yield problem(language, area, stem, `"${area}.${stem}" has unclosed braces`)
  }
}

/** Returns the problem of a text in one language. */
export function textProblem(
  check: string,
  language: string,
  area: string,
  path: string,
  message: string,
  severity: 'error' | 'warn' = 'error',
): LintProblem {
  const pointer = path.split('.').reduce<string>(below, '')
  return { check, severity, file: `locales/${language}/${area}.json`, line: 1, pointer, message }
}

const problem = (language: string, area: string, path: string, message: string, severity?: 'error' | 'warn') =>
  textProblem('locales', language, area, path, message, severity)

/** Checks that a counted text has exactly the plural forms of its language. */
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
          yield* unlikePlurals(language, area, stem, needed, own)
    }
  }
}

/** Area → counted keys without endings: keys that a document uses with `count`, and keys with two plural forms in any language. */
function countedStems(world: World): ReadonlyMap<string, ReadonlySet<string>> {
  const counted = new Map<string, Set<string>>()
  const add = (area: string, stem: string) => counted.set(area, (counted.get(area) ?? new Set()).add(stem))
  for (const { facts, own } of world.entries)
    for (const key of [...countedIn(facts), ...(own === facts ? [] : countedIn(own))]) add(areaOf(key), key.slice(areaOf(key).length + 1))
  // A single ending may be part of the name: `choose_one`.
  for (const language of world.languages)
    for (const [area, words] of Object.entries(world.texts[language] ?? {}))
      for (const [stem, forms] of formsOfWords(words)) if (forms.length > 1) add(area, stem)
  return counted
}

const counted = new WeakMap<Facts, readonly string[]>()
/** Keys that a document uses with `count`. Cached per document, because an edit changes one document. */
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
/** Key without its ending → its forms in an area. */
function formsOfWords(words: Words): ReadonlyMap<string, readonly string[]> {
  const known = forms.get(words)
  if (known) return known
  const found = new Map<string, string[]>()
  for (const { stem, form } of Object.keys(words).flatMap((key) => pluralOf(key) ?? [])) found.set(stem, [...(found.get(stem) ?? []), form])
  forms.set(words, found)
  return found
}

/** Counted keys of an area with their forms. Other checks report keys without any form. */
function* formsIn(words: Words, stems: ReadonlySet<string>, isOrdinal: boolean): Generator<readonly [string, readonly string[]]> {
  for (const [stem, all] of formsOfWords(words)) {
    const own = all.filter((form) => form.startsWith('ordinal_') === isOrdinal)
    if (stems.has(stem) && own.length > 0) yield [stem, own]
  }
}

function* unlikePlurals(
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

/** Reports undeclared words: values that a state never has, routes that a computed step cannot find, unknown topics. */
export const declaredWords: Check = function* (world) {
  const topics = world.catalog.topics.map(({ name }) => name)
  for (const entry of world.entries) {
    for (const place of entry.own.steps)
      if ('go' in place.step && typeof place.step.go !== 'string') yield* computedRoute(world, entry, place)
    if (entry.doc.kind === 'app') {
      const carrying = world.catalog.topics.flatMap(({ name, rows }) => (rows ? name : []))
      for (const [i, { topic }] of (entry.doc.pushed ?? []).entries())
        if (!carrying.includes(topic))
          yield world.report('declared-words', entry, `/pushed/${i}/topic`, `there is no topic "${topic}" with rows`, {
            suggestion: nearest(topic, carrying) ?? carrying[0],
          })
    }
    if (entry.doc.kind !== 'screen') continue
    for (const [name, { live = [] }] of Object.entries(entry.doc.data ?? {}))
      for (const topic of [live].flat().filter((one) => !topics.includes(one)))
        yield world.report('declared-words', entry, `/data/${name}/live`, `there is no topic "${topic}"`, {
          suggestion: nearest(topic, topics) ?? topics[0],
        })
    yield* states(world, entry, entry.doc)
  }
}

function* computedRoute(world: World, entry: Entry, { step, pointer }: StepPlace): Generator<LintProblem> {
  const answers = 'go' in step ? answersOf(step.go) : undefined
  for (const answer of answers ?? [])
    if (typeof answer === 'string' && world.routes && !world.route(answer))
      yield world.report('declared-words', entry, `${pointer}/go/$`, `there is no route "${answer}"`, {
        suggestion: nearest(answer, world.routePaths),
      })
}

/** The screen, and the forms that only it shows. */
function* states(world: World, screen: Entry, doc: ScreenDoc): Generator<LintProblem> {
  const forms = world.entries.filter(({ shownBy }) => shownBy.some((one) => one === screen))
  const all = [screen, ...forms]
  for (const [name, start] of Object.entries(doc.state ?? {})) {
    const path = `state.${name}`
    const writes = all.flatMap((entry) =>
      entry.facts.steps.flatMap((place) => writesOf(place, path).map((value) => ({ entry, place, value }))),
    )
    const words = wordsOf(start, writes)
    if (!words) continue
    for (const entry of all.filter(({ shownBy }) => shownBy.length < 2)) {
      for (const { logic, pointer } of expressionsOf(entry.own)) {
        for (const { op, args, pointer: inside } of operationsIn(logic)) {
          if (op !== '===' && op !== '!==' && op !== 'in') continue
          const at = args.findIndex((arg) => typeof arg === 'object' && !Array.isArray(arg) && pathOf(arg) === path)
          if (at < 0) continue
          for (const word of [args[1 - at]].flat())
            if (typeof word === 'string' && !words.has(word))
              yield world.report('declared-words', entry, pointer + inside, `"${path}" is never "${word}", only ${[...words].join(', ')}`, {
                suggestion: nearest(word, words),
              })
        }
      }
    }
  }
}

const writesOf = ({ step }: StepPlace, path: string): unknown[] => ('set' in step && Object.hasOwn(step.set, path) ? [step.set[path]] : [])

/** All words that a state can have; undefined when a written value cannot be known. */
function wordsOf(start: unknown, writes: readonly { place: StepPlace; value: unknown }[]): ReadonlySet<string> | undefined {
  if (typeof start !== 'string') return undefined
  const words = new Set([start])
  for (const { place, value } of writes) {
    const said = isValue(value) ? optionsOf(place) : answersOf(value)
    if (!said) return undefined
    for (const one of said) if (typeof one === 'string') words.add(one)
  }
  return words
}

/** Whether the value comes from a widget whose choices are literal. */
const isValue = (value: unknown) => typeof value === 'object' && value !== null && (value as { $?: unknown }).$ === 'value'
function optionsOf({ node }: StepPlace): readonly string[] | undefined {
  const options = node?.node.props?.options ?? node?.node.props?.items
  return Array.isArray(options) && options.every(isOption) ? options.map(({ id }) => id) : undefined
}
