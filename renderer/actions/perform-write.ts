import type { ActionPlace } from '#renderer/actions/place.ts'
import type { Effect } from '#renderer/core/plan.ts'

/**
 * The stores that a `set` writes to: the screen's state, its form, the device.
 * @param chosen the customer's own choice, made before any call: the visit keeps it, and a field that it fills is touched. On coming back, steps of the screen itself leave it alone
 */
export function write(effect: Effect, { store, form, engine, entry }: ActionPlace, chosen: boolean): void {
  if (effect.do !== 'set') return
  for (const { root, path, value, record } of effect.values) {
    const [name = ''] = path.split('.')
    const isKept = root === 'state' && store.kept !== undefined && Object.hasOwn(store.kept.state, name)
    if (isKept && entry && store.kept?.returned) continue
    if (record && root === 'state') store.setRecord(path, record.by, record.member, value)
    else if (record) engine.device.setRecord(path, record.by, record.member, value)
    else if (root === 'state') store.setState(path, value)
    else if (root === 'form') form?.set(path, value, chosen)
    else if (root === 'device' && value !== undefined) engine.device.set(path, value as never)
    if (root !== 'state' || !store.kept) continue
    if (chosen) store.kept.state[name] = (store.get('state') as Record<string, unknown>)[name]
    else delete store.kept.state[name]
  }
}
