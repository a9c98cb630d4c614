import { copyMark, untranslated } from '#language/edit/words.ts'
import { areaOf } from '#language/expression/value.ts'
import { saidIn } from '#language/lint/text-keys.ts'
import { placeholdersOf, stemOf } from '#language/lint/texts.ts'
import type { Check, World } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** Every language has the same keys with the same placeholders, and each text is said somewhere. Areas that only code says are not counted. */
export const locales: Check = function* (world) {
  const { problems, stems } = findingsOf(world)
  yield* problems
  const said = new Set(
    world.entries.flatMap(({ facts, own }) =>
      [...facts.values, ...own.values].flatMap(({ value, pointer }) => [...saidIn(value, pointer)].map(({ key }) => key)),
    ),
  )
  const saidAreas = new Set([...said].map(areaOf))
  for (const [area, own] of stems) {
    if (!saidAreas.has(area)) continue
    for (const stem of own) {
      const key = `${area}.${stem}`
      if (!said.has(key) && ![...said].some((other) => key.startsWith(`${other}_`)))
        yield problem(world.languages[0] ?? '', area, stem, `no document says "${key}"`, 'warn')
    }
  }
}

interface Findings {
  languages: readonly string[]
  problems: readonly LintProblem[]
  /** Keys without plural endings, by area. */
  stems: ReadonlyMap<string, readonly string[]>
}
const found = new WeakMap<World['texts'], Findings>()

/** What the texts say by themselves. Whoever types in a document leaves them as they are, so it is kept. */
function findingsOf(world: World): Findings {
  const known = found.get(world.texts)
  if (known && known.languages.join() === world.languages.join()) return known
  const areas = new Set(world.languages.flatMap((language) => Object.keys(world.texts[language] ?? {})))
  const stems = new Map<string, readonly string[]>()
  const problems = [...ofTexts(world)]
  for (const area of areas) {
    const byStem = stemsOf(world, area)
    const broken = unclosed(world, area)
    for (const [stem, languages] of byStem) problems.push(...compared(world, area, stem, languages, broken))
    stems.set(area, [...byStem.keys()])
  }
  const findings = { languages: world.languages, problems, stems }
  found.set(world.texts, findings)
  return findings
}

/** Texts that nobody has translated yet, and empty ones. */
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

/** Language → stems that have a text with braces that do not close. */
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

function* compared(
  world: World,
  area: string,
  stem: string,
  languages: ReadonlyMap<string, ReadonlySet<string>>,
  broken: ReadonlyMap<string, ReadonlySet<string>>,
): Generator<LintProblem> {
  // What most languages use is right; where two sides are equal, it is what any of them uses.
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
    if (broken.get(language)?.has(stem)) yield problem(language, area, stem, `"${area}.${stem}" has braces that do not close`)
  }
}

/** What is wrong with a text of a language. */
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
