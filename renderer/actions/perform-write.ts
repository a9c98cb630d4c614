import type { ActionPlace } from '#renderer/actions/place.ts'
import type { Effect } from '#renderer/core/plan.ts'

/** What a `set` writes: the screen's state, its form, the device. */
export function write(effect: Effect, { store, form, engine }: ActionPlace): void {
  if (effect.do !== 'set') return
  for (const { root, path, value, record } of effect.values) {
    if (record && root === 'state') store.setRecord(path, record.by, record.member, value)
    else if (record) engine.device.setRecord(path, record.by, record.member, value)
    else if (root === 'state') store.setState(path, value)
    else if (root === 'form') form?.set(path, value)
    else if (root === 'device' && value !== undefined) engine.device.set(path, value as never)
  }
}
