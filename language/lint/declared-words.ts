import type { ScreenDoc } from '#language/documents/documents.ts'
import { nearest } from '#language/documents/nearest.ts'
import type { StepPlace } from '#language/documents/walk.ts'
import { isOption } from '#language/lint/dead-ends.ts'
import { answersOf, expressionsOf, operationsIn, pathOf } from '#language/lint/trees.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import type { LintProblem } from '#language/types/catalog.ts'

/** Words that nobody says: values that a state never has, routes that a computed step does not find, topics that do not exist. */
export const declaredWords: Check = function* (world) {
  const topics = world.catalog.topics.map(({ name }) => name)
  for (const entry of world.entries) {
    for (const place of entry.own.steps)
      if ('go' in place.step && typeof place.step.go !== 'string') yield* computedRoute(world, entry, place)
    if (entry.doc.kind !== 'screen') continue
    for (const [name, { live }] of Object.entries(entry.doc.data ?? {}))
      if (live !== undefined && !topics.includes(live))
        yield world.report('declared-words', entry, `/data/${name}/live`, `there is no topic "${live}"`, {
          suggestion: nearest(live, topics) ?? topics[0],
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

/** The screen, and the forms that no other screen shows. */
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

/** Every word that a state can have; undefined where something is written that nobody can foresee. */
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

/** What the widget of the action says, where its choices are written out. */
const isValue = (value: unknown) => typeof value === 'object' && value !== null && (value as { $?: unknown }).$ === 'value'
function optionsOf({ node }: StepPlace): readonly string[] | undefined {
  const options = node?.node.props?.options ?? node?.node.props?.items
  return Array.isArray(options) && options.every(isOption) ? options.map(({ id }) => id) : undefined
}
