import { nearest } from '#language/documents/nearest.ts'
import type { NodePlace } from '#language/documents/walk.ts'
import { findingsOf } from '#language/lint/judge.ts'
import type { Check } from '#language/lint/world.ts'
import { below } from '#language/text/position.ts'

/** Checks that every widget exists in the requested major version. */
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

/** Checks props against the passport of the widget: known names, required names, types. Computed props are checked by type. */
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

/** The form validates bounds and passes them to any widget; only those that the document writes as a prop must be known to the widget. */
function isBound({ field, pointer: at }: NodePlace, pointer: string): boolean {
  return field !== undefined && !Object.hasOwn(field.props ?? {}, pointer.slice(`${at}/props/`.length).split('/')[0] ?? '')
}

/** Checks slots against the passport: names, allowed widgets and their number. */
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
        if (count < min) yield world.report('slots', entry, place.pointer, `"${slot}" of ${widget.type} requires at least ${min}`)
      }
    }
  }
}

/** Checks that `on` names events of the widget and actions of the screen. */
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
