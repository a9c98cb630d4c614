import { nearest } from '#language/documents/nearest.ts'
import type { Check } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'

/** Slots are those of the passport, with the widgets and the number of them that it allows. */
export const slots: Check = function* (world) {
  for (const entry of world.entries) {
    for (const place of entry.facts.nodes) {
      const widget = world.widget(place.node.widget)
      if (!widget) continue
      const at = (slot: string) => (place.fragment === undefined ? below(`${place.pointer}/slots`, slot) : place.pointer)
      const names = Object.keys(widget.slots)
      for (const [slot, children] of Object.entries(place.node.slots ?? {})) {
        const rule = Object.hasOwn(widget.slots, slot) ? widget.slots[slot] : undefined
        if (!rule) {
          yield world.report('slots', entry, at(slot), `${widget.type} has no slot "${slot}"`, {
            suggestion: nearest(slot, names) ?? (names.length === 1 ? names[0] : undefined),
          })
          continue
        }
        const { allow, max } = rule
        if (max !== undefined && children.length > max)
          yield world.report('slots', entry, at(slot), `"${slot}" takes at most ${max}, not ${children.length}`)
        for (const [i, child] of children.entries()) {
          const type = 'widget' in child ? (child.widget.split('@', 1)[0] as string) : undefined
          if (allow && type !== undefined && !allow.includes(type)) {
            const suggestion = nearest(type, allow) ?? (allow.length === 1 ? allow[0] : undefined)
            yield world.report(
              'slots',
              entry,
              place.fragment === undefined ? below(at(slot), i) : at(slot),
              `"${slot}" takes ${allow.join(', ')}, not ${type}`,
              { suggestion },
            )
          }
        }
      }
      for (const [slot, { min = 0 }] of Object.entries(widget.slots)) {
        const count = place.node.slots && Object.hasOwn(place.node.slots, slot) ? (place.node.slots[slot] ?? []).length : 0
        if (count < min) yield world.report('slots', entry, place.pointer, `"${slot}" of ${widget.type} wants at least ${min}`)
      }
    }
  }
}
