import type { NodePlace } from '#language/documents/walk.ts'
import { type Finding, members } from '#language/lint/judge.ts'
import type { Entry, World } from '#language/lint/world.ts'

const known = new WeakMap<NodePlace, readonly Finding[]>()

/** How the props of a node differ from the passport; several checks ask, so it is found once. Nothing for unknown widgets. */
export function findingsOf(world: World, entry: Entry, place: NodePlace): readonly Finding[] {
  const before = known.get(place)
  if (before) return before
  const widget = world.widget(place.node.widget)
  const pointer = place.fragment === undefined ? `${place.pointer}/props` : place.pointer
  const found = widget ? members(place.node.props ?? {}, widget.props, world.typesAt(entry, { node: place }), pointer) : []
  const placed = place.fragment === undefined ? found : found.map((finding) => ({ ...finding, pointer: place.pointer }))
  known.set(place, placed)
  return placed
}
