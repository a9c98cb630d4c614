import { findingsOf } from '#language/lint/findings.ts'
import type { Check } from '#language/lint/world.ts'

/** Props are those of the widget's passport: none unknown, none missing, each of the right type, computed ones by their type. */
export const props: Check = function* (world) {
  for (const entry of world.entries) {
    for (const place of entry.facts.nodes) {
      for (const { kind, pointer, message, suggestion } of findingsOf(world, entry, place)) {
        if (kind === 'type' || (place.fragment === undefined && (kind === 'unknown' || kind === 'missing'))) {
          yield world.report('props', entry, pointer, `${place.node.widget}: ${message}`, { suggestion })
        }
      }
    }
  }
}
