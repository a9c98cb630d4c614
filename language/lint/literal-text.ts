import type { ValuePlace } from '#language/documents/walk.ts'
import { findingsOf } from '#language/lint/findings.ts'
import type { Check } from '#language/lint/world.ts'

const isWords = ({ value }: ValuePlace) => typeof value === 'string' && /\p{L}{2}/u.test(value)

/** What people read comes from a text key, so that it exists in every language. */
export const literalText: Check = function* (world) {
  for (const entry of world.entries) {
    for (const place of entry.own.nodes) {
      for (const { kind, pointer, message } of findingsOf(world, entry, place)) {
        if (kind === 'text') yield world.report('literal-text', entry, pointer, message)
      }
    }
    for (const place of entry.own.values) {
      if (place.role === 'text' && isWords(place))
        yield world.report('literal-text', entry, place.pointer, `"${place.value}" is read by people: give it by text key`)
    }
  }
}
