import { nearest } from '#language/documents/nearest.ts'
import type { ValuePlace } from '#language/documents/walk.ts'
import { areaOf } from '#language/expression/value.ts'
import { findingsOf } from '#language/lint/judge.ts'
import { answersOf, operationsIn } from '#language/lint/trees.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import { below, lineOf, outline } from '#language/text/position.ts'
import type { JsonSchema, LintProblem } from '#language/types/catalog.ts'
import { typeOfValue } from '#language/types/paths.ts'
import { type Types, withoutNull } from '#language/types/types.ts'

/**
 * Lint reports problems of texts on line 1, because it does not know the files. This function sets the line of the key; a missing key stays
 * on line 1.
 * @param textOf returns the text of a file in locales/, or undefined
 */
export function withTextLines(problems: readonly LintProblem[], textOf: (file: string) => string | undefined): LintProblem[] {
  const known = new Map<string, ReadonlyMap<string, number>>()
  return problems.map((problem) => {
    const text = problem.file.startsWith('locales/') ? textOf(problem.file) : undefined
    if (text === undefined) return problem
    const lines = known.get(problem.file) ?? outline(text).lines
    known.set(problem.file, lines)
    return { ...problem, line: lineOf(lines, problem.pointer) }
  })
}

const plural = /_(?:ordinal_)?(?:zero|one|two|few|many|other)$/

const contexts = new WeakMap<object, Map<string, string[]>>()

/** Contexts for which a key has a text; `""` for the text without context. */
function contextsOf(world: World, language: string, key: string): string[] {
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

/** Splits a key into stem and plural form: `done_one` is `done` and `one`. Ordinals end in `ordinal_one`. */
export function pluralOf(key: string): { stem: string; form: string } | undefined {
  const ending = plural.exec(key)
  return ending ? { stem: key.slice(0, ending.index), form: ending[0].slice(1) } : undefined
}

/** Key without the ending of a plural form. */
export function stemOf(key: string): string {
  return key.replace(plural, '')
}

const order = ['zero', 'one', 'two', 'few', 'many', 'other']

/** Plural forms of a language, `one` and `other` in English, in display order; undefined for an invalid language tag. */
export function formsOf(tag: string, isOrdinal: boolean): readonly string[] | undefined {
  try {
    const { pluralCategories } = new Intl.PluralRules(tag, { type: isOrdinal ? 'ordinal' : 'cardinal' }).resolvedOptions()
    return order.filter((form) => (pluralCategories as string[]).includes(form)).map((form) => (isOrdinal ? `ordinal_${form}` : form))
  } catch {
    return undefined
  }
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

/** Width of a text in letters. Chinese, Japanese and Korean characters count twice; combining marks count nothing. */
export function textWidth(text: string): number {
  const plain = text.replace(/\{\{.*?\}\}/g, 'x'.repeat(placeholderWidth)).replace(/\p{M}/gu, '')
  return [...plain].reduce((width, letter) => width + (wide.test(letter) ? 2 : 1), 0)
}

/** Minimum width of a placeholder, such as an amount or the name of a currency. */
const placeholderWidth = 4
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30a0-\u30ff\u3000-\u303f\uff01-\uff60]/u

/** Placeholders of a text: `{{name}}`, `{{amount, number}}`. */
export function placeholdersOf(text: string): string[] {
  if (!text.includes('{{')) return []
  return [...text.matchAll(/\{\{-?\s*([A-Za-z_][\w.]*)\s*(?:,[^}]*)?\}\}/g)].map(([, name]) => (name as string).split('.', 1)[0] as string)
}

/** Checks that every text key exists in every language, with the arguments that its texts use. */
export const textKeys: Check = function* (world) {
  // Computed only when a key is wrong.
  let known: ReadonlySet<string> | undefined
  const keys = () => (known ??= keysOf(world))
  for (const entry of world.entries) {
    for (const place of entry.own.values)
      for (const said of saidIn(place.value, place.pointer)) {
        yield* judged(world, entry, said, keys)
        if (said.context !== undefined) yield* inContext(world, entry, said, world.typesAt(entry, place))
      }
  }
}

function keysOf({ languages, texts }: World): Set<string> {
  const every = languages.flatMap((language) =>
    Object.entries(texts[language] ?? {}).flatMap(([area, words]) => Object.keys(words).map((path) => `${area}.${path}`)),
  )
  return new Set(every.flatMap((key) => [key, key.replace(/_(zero|one|two|few|many|other)$/, '')]))
}

interface Said {
  key: string
  args: readonly string[]
  /** Selects among the texts of the key; undefined without a selection. */
  context: unknown
  pointer: string
}

/** Text keys inside a value, with the names of their arguments. */
export function* saidIn(value: unknown, pointer: string): Generator<Said> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value) && '$' in value) return yield* saidByLogic(value.$, `${pointer}/$`)
  if (!Array.isArray(value) && '$t' in value && typeof value.$t === 'string') {
    const context = 'context' in value ? value.context : undefined
    yield { key: value.$t, args: Object.keys(value).filter((name) => name !== '$t'), context, pointer: `${pointer}/$t` }
  }
  for (const [name, part] of Object.entries(value)) if (name !== '$t') yield* saidIn(part, below(pointer, name))
}

/** Text keys of the operator `t` in an expression. A context that is computed is not judged. */
function* saidByLogic(logic: unknown, pointer: string): Generator<Said> {
  for (const { op, args, pointer: at } of operationsIn(logic, '', true)) {
    const [key, ...parts] = args
    if (op !== 't' || typeof key !== 'string') continue
    const names = parts.filter((_, i) => i % 2 === 0).map(String)
    const context = parts[2 * names.indexOf('context') + 1]
    yield {
      key,
      args: names,
      context: names.includes('context') && typeof context === 'string' ? context : undefined,
      pointer: `${pointer}${at}`,
    }
  }
}

function* judged(world: World, entry: Entry, { key, args, pointer }: Said, keys: () => ReadonlySet<string>) {
  const texts = world.languages.map((language) => textsOf(world, language, key, args))
  const lacking = world.languages.filter((_, i) => texts[i]?.length === 0)
  if (lacking.length > 0) {
    const everywhere = lacking.length === world.languages.length
    const message = everywhere ? `there is no text "${key}"` : `"${key}" has no text in ${lacking.join(', ')}`
    yield world.report('text-keys', entry, pointer, message, { suggestion: everywhere ? nearest(key, keys()) : undefined })
  }
  const wanted = new Set(texts.flat().flatMap(placeholdersOf))
  const missing = [...wanted].filter((name) => !args.includes(name))
  for (const name of missing) {
    const given = args.filter((arg) => !wanted.has(arg))
    const near = nearest(name, given)
    yield world.report('text-keys', entry, pointer, `the text "${key}" requires "${name}"`, {
      suggestion: near === undefined ? undefined : `${name} instead of ${near}`,
    })
  }
  if (lacking.length > 0 || missing.length > 0) return
  for (const name of args) {
    if (!wanted.has(name) && name !== 'count' && name !== 'context')
      yield world.report('text-keys', entry, pointer, `the text "${key}" does not use "${name}"`, { severity: 'warn' })
  }
}

/** Checks that a context has a text for every possible word, or that the key has a default text. */
function* inContext(world: World, entry: Entry, { key, context, pointer }: Said, types: Types): Generator<LintProblem> {
  const words = wordsOf(context, types)
  for (const word of words ?? []) {
    const lacking = world.languages.filter((language) => {
      const known = contextsOf(world, language, key)
      return known.length > 0 && !known.includes('') && !known.includes(word)
    })
    if (lacking.length === 0) continue
    const where = lacking.length === world.languages.length ? '' : ` in ${lacking.join(', ')}`
    const known = contextsOf(world, lacking[0] as string, key)
    yield world.report('text-keys', entry, `${pointer.replace(/\$t$/, 'context')}`, `the text "${key}" has no context "${word}"${where}`, {
      suggestion: nearest(word, known),
    })
  }
}

/** All words that a value can have; undefined when they are not known. */
function wordsOf(value: unknown, types: Types): readonly string[] | undefined {
  const written = answersOf(value)
  if (written) return written.filter((word) => typeof word === 'string')
  const type: JsonSchema = withoutNull(typeOfValue(value, types).type)
  return type.enum?.filter((word) => typeof word === 'string')
}

const isWords = ({ value }: ValuePlace) => typeof value === 'string' && /\p{L}{2}/u.test(value)

/** Checks that displayed text comes from a text key, so that it exists in every language. */
export const literalText: Check = function* (world) {
  for (const entry of world.entries) {
    for (const place of entry.own.nodes) {
      for (const { kind, pointer, message } of findingsOf(world, entry, place)) {
        if (kind === 'text') yield world.report('literal-text', entry, pointer, message)
      }
    }
    for (const place of entry.own.values) {
      if (place.role === 'text' && isWords(place))
        yield world.report('literal-text', entry, place.pointer, `"${place.value}" is displayed text: use a text key`)
    }
  }
}

/** Maximum length of a name that only assistive technology reads. */
const nameLengthMax = 60
/** Maximum widths of the button below a form, of the label of a field, and of the two buttons of a prompt. */
const ownWidths = { submit: 40, label: 40, choice: 24 }

/** Checks that every control has an accessible name, and that no text is too long for its place. */
export const labels: Check = function* (world) {
  for (const entry of world.entries) {
    for (const { max, ...place } of ownPlaces(entry)) yield* tooLong(world, place, max)
    for (const { node, pointer, field } of entry.own.nodes) {
      const widget = world.widget(node.widget)
      if (!widget) continue
      for (const { max, ...place } of placesOf(world, entry, node.props ?? {}, widget.props, `${pointer}/props`))
        yield* tooLong(world, place, max)
      const { label } = widget
      if (!label || field) continue
      const value = node.props?.[label]
      if (value === undefined || value === null || value === '') {
        yield world.report('labels', entry, `${pointer}/props`, `${node.widget} "${node.id}" has no accessible name: set "${label}"`, {
          suggestion: `"${label}": "@…"`,
        })
      } else if (widget.props.properties?.[label]?.fits === undefined)
        yield* tooLong(world, { entry, value, pointer: `${pointer}/props/${label}` }, nameLengthMax)
    }
  }
}

interface Place {
  entry: Entry
  value: unknown
  pointer: string
}

/** Texts of a form and of a prompt that are no props of a widget. The text beside a box to tick has several lines. */
function* ownPlaces(entry: Entry): Generator<Place & { max: number }> {
  const { doc } = entry
  if (doc.kind === 'form') {
    yield { entry, value: doc.submit.label, pointer: '/submit/label', max: ownWidths.submit }
    for (const [i, { type, label }] of doc.fields.entries())
      if (type !== 'boolean') yield { entry, value: label, pointer: `/fields/${i}/label`, max: ownWidths.label }
  } else if (doc.kind === 'prompt')
    for (const name of ['ok', 'cancel'] as const) yield { entry, value: doc[name], pointer: `/${name}`, max: ownWidths.choice }
}

/** Values in narrow places with the maximum width. For a list of entries, the width applies to their labels. */
function* placesOf(world: World, entry: Entry, value: unknown, schema: JsonSchema, pointer: string): Generator<Place & { max: number }> {
  const { fits: max } = schema
  if (max !== undefined) {
    const list = schema.ref === 'quick-entries' && typeof value === 'string' ? world.find('quick-entries', value) : undefined
    if (list?.doc.kind === 'quick-entries')
      for (const [i, { label }] of list.doc.entries.entries()) yield { entry: list, value: label, pointer: `/entries/${i}/label`, max }
    else yield { entry, value, pointer, max }
  }
  for (const one of schema.anyOf ?? []) yield* placesOf(world, entry, value, one, pointer)
  if (Array.isArray(value))
    for (const [i, part] of value.entries()) yield* placesOf(world, entry, part, schema.items ?? {}, below(pointer, i))
  else if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(schema.properties ?? {}))
      if (Object.hasOwn(value, name)) yield* placesOf(world, entry, (value as Record<string, unknown>)[name], inner, below(pointer, name))
}

function* tooLong(world: World, { entry, value, pointer }: Place, max: number): Generator<LintProblem> {
  for (const { key, args } of saidIn(value, pointer))
    for (const language of world.languages)
      for (const text of textsOf(world, language, key, args)) {
        const width = textWidth(text)
        if (width > max)
          yield world.report('labels', entry, pointer, `"${key}" is ${width} letters wide in ${language}; ${max} fit here`, {
            severity: 'warn',
          })
      }
}
