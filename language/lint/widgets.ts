import { nearest } from '#language/documents/nearest.ts'
import type { Check } from '#language/lint/world.ts'

/** Every widget that is named exists, in the major version that is asked for. */
export const widgets: Check = function* (world) {
  const types = world.catalog.widgets.map(({ type }) => type)
  for (const entry of world.entries) {
    for (const { node, pointer } of entry.own.nodes) {
      const [type = '', major] = node.widget.split('@')
      const known = world.widget(type)
      if (!known)
        yield world.report('widgets', entry, `${pointer}/widget`, `there is no widget "${type}"`, { suggestion: nearest(type, types) })
      else if (major !== undefined && Number(major) > known.major) {
        yield world.report('widgets', entry, `${pointer}/widget`, `"${type}" has no version ${major}`, {
          suggestion: `${type}@${known.major}`,
        })
      }
    }
  }
}
