import type { Scope } from '#language/expression/expression.ts'
import type { ActionPlace } from '#renderer/actions/place.ts'
import { overlay, RowScope, snapshot } from '#renderer/core/scope.ts'

/** The values that an action reads, and the visit that it belongs to. */
export interface Pressed {
  scope: Scope
  visit: number
  /** Whether data was read since the last question that answers other arguments than the present ones. It has no value here. */
  readsOld: () => boolean
}

/** Takes the one snapshot that an action reads. */
export function pressOn(scope: Scope, value: unknown, { engine, store }: Pick<ActionPlace, 'engine' | 'store'>): Pressed {
  const taken = snapshot(scope, { value })
  const visit = engine.visit()
  const old = store.staleSources()
  const row = scope instanceof RowScope && scope.old ? scope : undefined
  if (old.length === 0 && !row) return { scope: taken, visit, readsOld: () => false }
  let read = false
  const data = { ...(taken.get('data') as object | undefined) }
  const get = () => void (read = true)
  for (const source of old) Object.defineProperty(data, source, { enumerable: true, get })
  const guarded = overlay(taken, { data })
  return {
    scope: { get: (root) => ((row?.stale && root === 'item') || (row && root === 'row') ? get() : guarded.get(root)) },
    visit,
    readsOld() {
      const before = read
      read = false
      return before
    },
  }
}
