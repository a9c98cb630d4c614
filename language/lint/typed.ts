import type { LogicPlace, ValuePlace } from '#language/documents/walk.ts'
import type { Entry, World } from '#language/lint/world.ts'
import { type Typed, typeOfLogic, typeOfValue } from '#language/types/paths.ts'

/** A value or an expression of a document, its type, and what is wrong with the paths and units in it. */
export type TypedPlace = Typed & { place: ValuePlace | LogicPlace }

const known = new WeakMap<Entry, readonly TypedPlace[]>()

/** Every value and every expression of a document with its type. Several checks ask, so it is found once. */
export function typedOf(world: World, entry: Entry): readonly TypedPlace[] {
  const before = known.get(entry)
  if (before) return before
  const found: TypedPlace[] = []
  for (const place of new Set([...entry.facts.values, ...entry.own.values]))
    found.push({ place, ...placed(typeOfValue(place.value, world.typesAt(entry, place), place.pointer), place) })
  for (const place of entry.facts.logics)
    found.push({ place, ...placed(typeOfLogic(place.logic, world.typesAt(entry, place), place.pointer), place) })
  known.set(entry, found)
  return found
}

/** Inside of a fragment there is one pointer: that of the `use`. */
function placed({ type, problems }: Typed, { node, pointer }: ValuePlace | LogicPlace): Typed {
  return node?.fragment === undefined ? { type, problems } : { type, problems: problems.map((one) => ({ ...one, pointer })) }
}
