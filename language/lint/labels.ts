import type { Check } from '#language/lint/world.ts'

/** Every control has a name for those who do not see it. */
export const labels: Check = function* (world) {
  for (const entry of world.entries) {
    for (const { node, pointer } of entry.own.nodes) {
      const label = world.widget(node.widget)?.label
      if (!label) continue
      const value = node.props?.[label]
      if (value === undefined || value === null || value === '') {
        yield world.report(
          'labels',
          entry,
          `${pointer}/props`,
          `${node.widget} "${node.id}" has no name for assistive technology: give it "${label}"`,
          { suggestion: `"${label}": {"$t": "…"}` },
        )
      }
    }
  }
}
