import type { FragmentDoc } from '#language/documents/documents.ts'
import { members } from '#language/lint/judge.ts'
import type { Check, Entry, World } from '#language/lint/world.ts'
import type { LintProblem } from '#language/types/catalog.ts'
import { paramTypes } from '#language/types/types.ts'

/** Fragments exist, get what they need and nothing else, and fit where they stand. */
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

/** What is given has the type of the parameter. Names that are missing or unknown are told where fragments are put in. */
function* ofTypes(world: World, entry: Entry): Generator<LintProblem> {
  for (const place of entry.own.uses) {
    const fragment = world.find('fragment', place.use)?.doc as FragmentDoc | undefined
    if (!fragment) continue
    const schema = { ...paramTypes(fragment.params), required: [] }
    for (const { kind, pointer, message, suggestion } of members(place.with, schema, world.typesAt(entry, place), `${place.pointer}/with`))
      if (kind === 'type') yield world.report('fragments', entry, pointer, `${place.use}: ${message}`, { suggestion })
  }
}
