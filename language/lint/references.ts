import { type FragmentDoc, type Kind, kinds } from '#language/documents/documents.ts'
import { nearest } from '#language/documents/nearest.ts'
import { findingsOf, members } from '#language/lint/judge.ts'
import { textsOf } from '#language/lint/texts.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import type { LintProblem } from '#language/types/catalog.ts'
import { paramTypes } from '#language/types/types.ts'

/** Checks that names in props and entries exist: lists of entries, routes, icons, prompts, sheets. */
export const refs: Check = function* (world) {
  for (const entry of world.entries) {
    for (const place of entry.facts.nodes) {
      for (const { kind, ref, pointer } of findingsOf(world, entry, place))
        if (kind === 'ref' && ref) yield* missing(world, entry, ref.kind, ref.name, pointer)
    }
    if (entry.doc.kind === 'quick-entries') {
      for (const [i, { icon }] of entry.doc.entries.entries()) yield* missing(world, entry, 'icon', icon, `/entries/${i}/icon`)
    }
  }
}

/** Known names of a kind; undefined for a kind that cannot be checked. */
function namesOf(world: World, entry: Entry, kind: string): readonly string[] | undefined {
  if (kind === 'icon') return world.catalog.icons.length > 0 ? world.catalog.icons : undefined
  if (kind === 'route') return world.routes ? world.routePaths : undefined
  if (kind === 'symbol') return world.catalog.symbols.length > 0 ? world.catalog.symbols : undefined
  if (kind === 'sheet' || kind === 'node') return entry.facts.nodes.map(({ node }) => node.id)
  return Object.hasOwn(kinds, kind) ? world.ids(kind as Kind) : undefined
}

function* missing(world: World, entry: Entry, kind: string, name: string, pointer: string): Generator<LintProblem> {
  if (kind === 'text') return yield* withoutTexts(world, entry, name, pointer)
  const names = namesOf(world, entry, kind)
  if (names && !names.includes(name))
    yield world.report('refs', entry, pointer, `there is no ${kind} "${name}"`, { suggestion: nearest(name, names) })
}

/** Checks that texts begin with a stem in every language. */
function* withoutTexts(world: World, entry: Entry, stem: string, pointer: string): Generator<LintProblem> {
  const lacking = world.languages.filter((language) => textsOf(world, language, stem, ['context']).length === 0)
  if (lacking.length > 0) yield world.report('refs', entry, pointer, `no text begins with "${stem}" in ${lacking.join(', ')}`)
}

/** Reports documents that nothing uses. */
export const unused: Check = function* (world) {
  const named = new Set<string>()
  for (const { screen } of Object.values(world.routes?.routes ?? {})) named.add(`screen/${screen}`)
  for (const entry of world.entries) {
    for (const { use } of entry.own.uses) named.add(`fragment/${use}`)
    for (const { step } of entry.facts.steps) if ('confirm' in step) named.add(`prompt/${step.confirm}`)
    for (const place of entry.facts.nodes)
      for (const { ref } of findingsOf(world, entry, place)) if (ref) named.add(`${ref.kind}/${ref.name}`)
  }
  const how: Partial<Record<Kind, string>> = {
    screen: 'no route shows',
    fragment: 'nothing uses',
    prompt: 'no step confirms with',
    'quick-entries': 'no widget shows',
    form: 'no screen shows',
  }
  for (const entry of world.entries) {
    const { kind, id } = entry.doc
    const words = how[kind]
    if (words && !named.has(`${kind}/${id}`))
      yield world.report('unused', entry, '/id', `${words} the ${kind} "${id}"`, { severity: 'warn' })
  }
}

/** Checks that fragments exist and get exactly the parameters and slots that they declare. */
export const fragments: Check = function* (world) {
  for (const entry of world.entries) {
    for (const { pointer, message, suggestion } of entry.inlined.problems)
      yield world.report('fragments', entry, pointer, message, { suggestion })
    yield* ofTypes(world, entry)
    if (entry.doc.kind !== 'fragment') continue
    for (const { use, pointer } of entry.own.uses) {
      if (use === entry.doc.id) yield world.report('fragments', entry, `${pointer}/use`, `the fragment "${use}" uses itself`)
      else if (!world.find('fragment', use)) yield world.report('fragments', entry, `${pointer}/use`, `there is no fragment "${use}"`)
    }
  }
}

/** Checks the types of passed values. Inserting fragments reports missing and unknown names. */
function* ofTypes(world: World, entry: Entry): Generator<LintProblem> {
  for (const place of entry.own.uses) {
    const fragment = world.find('fragment', place.use)?.doc as FragmentDoc | undefined
    if (!fragment) continue
    const schema = { ...paramTypes(fragment.params), required: [] }
    for (const { kind, pointer, message, suggestion } of members(place.with, schema, world.typesAt(entry, place), `${place.pointer}/with`))
      if (kind === 'type') yield world.report('fragments', entry, pointer, `${place.use}: ${message}`, { suggestion })
  }
}
