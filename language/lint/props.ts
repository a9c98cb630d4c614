import type { NodePlace } from '#language/documents/walk.ts'
import { findingsOf } from '#language/lint/findings.ts'
import type { Check } from '#language/lint/world.ts'

/** Props are those of the widget's passport: none unknown, none missing, each of the right type, computed ones by their type. */
export const props: Check = function* (world) {
  for (const entry of world.entries) {
    for (const place of entry.facts.nodes) {
      for (const { kind, pointer, message, suggestion } of findingsOf(world, entry, place)) {
        if (kind === 'type' || (place.fragment === undefined && (kind === 'missing' || (kind === 'unknown' && !isBound(place, pointer))))) {
          yield world.report('props', entry, pointer, `${place.node.widget}: ${message}`, { suggestion })
        }
      }
    }
  }
}

/** The form judges bounds by itself and hands them to any widget: only what the document writes as a prop must be known to it. */
function isBound({ field, pointer: at }: NodePlace, pointer: string): boolean {
  return field !== undefined && !Object.hasOwn(field.props ?? {}, pointer.slice(`${at}/props/`.length).split('/')[0] ?? '')
}
