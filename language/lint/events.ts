import { nearest } from '#language/documents/nearest.ts'
import type { Check } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'

/** `on` names events of the widget, and actions that the screen has. */
export const events: Check = function* (world) {
  for (const entry of world.entries) {
    const actions = entry.doc.kind === 'screen' ? Object.keys(entry.doc.actions ?? {}) : []
    const used = new Set<string>()
    for (const { node, pointer, fragment } of entry.facts.nodes) {
      const widget = world.widget(node.widget)
      for (const [event, action] of Object.entries(node.on ?? {})) {
        const at = fragment === undefined ? below(`${pointer}/on`, event) : pointer
        if (widget && !widget.events.includes(event)) {
          const suggestion = nearest(event, widget.events) ?? (widget.events.length === 1 ? widget.events[0] : undefined)
          yield world.report('events', entry, at, `${widget.type} has no event "${event}"`, { suggestion })
        }
        if (typeof action !== 'string') continue
        used.add(action)
        if (entry.doc.kind === 'screen' && !actions.includes(action)) {
          yield world.report('events', entry, at, `the screen has no action "${action}"`, { suggestion: nearest(action, actions) })
        }
      }
    }
    for (const name of actions) {
      if (!used.has(name))
        yield world.report('events', entry, `/actions/${name}`, `the action "${name}" is never used`, { severity: 'warn' })
    }
  }
}
