import { nearest } from '#language/documents/nearest.ts'
import type { NodePlace } from '#language/documents/walk.ts'
import type { Check } from '#language/lint/world.ts'
import { typeOfValue, withoutNull } from '#language/types/paths.ts'

/** What is repeated is a list, its key is a member of the rows, and its name is not that of a repeat around. */
export const repeats: Check = function* (world) {
  for (const entry of world.entries) {
    for (const place of entry.own.nodes) {
      const { repeat } = place.node
      if (!repeat) continue
      if (repeat.as !== undefined && namedAround(place, repeat.as))
        yield world.report('repeats', entry, `${place.pointer}/repeat/as`, `a repeat around is called "${repeat.as}" already`)
      const type = withoutNull(typeOfValue(repeat.each, world.typesAt(entry, { node: place, role: 'each' })).type)
      if (type.type !== undefined && type.type !== 'array') {
        yield world.report('repeats', entry, `${place.pointer}/repeat/each`, 'what is repeated is a list')
        continue
      }
      const { properties, additionalProperties } = withoutNull(type.items ?? {})
      if (properties && !additionalProperties && !Object.hasOwn(properties, repeat.key)) {
        const suggestion = nearest(repeat.key, Object.keys(properties))
        yield world.report('repeats', entry, `${place.pointer}/repeat/key`, `rows have no "${repeat.key}"`, { suggestion })
      } else if (type.key !== undefined && type.key !== repeat.key)
        yield world.report(
          'repeats',
          entry,
          `${place.pointer}/repeat/key`,
          `rows are told apart by "${type.key}", not by "${repeat.key}"`,
          {
            suggestion: type.key,
          },
        )
    }
  }
}

function namedAround({ parent }: NodePlace, name: string): boolean {
  return parent !== undefined && (parent.node.repeat?.as === name || namedAround(parent, name))
}
