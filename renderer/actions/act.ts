import type { ChangesDoc, Step } from '#language/documents/documents.ts'
import type { Scope } from '#language/expression/expression.ts'
import type { ActionPlace, Result } from '#renderer/actions/place.ts'
import { pressOn } from '#renderer/actions/press.ts'
import { lazy } from '#renderer/core/lazy.ts'
import type { LiveScope } from '#renderer/core/scope.ts'
import { loadOperators } from '#renderer/engine/operators.ts'

/** Performing is no part of the first paint, so its code comes after it; a press that is earlier waits for it and is not lost. */
const performing = lazy(async () => {
  const [{ perform }, { watchChanges }] = await Promise.all([
    import('#renderer/actions/perform.ts'),
    import('#renderer/actions/changes.ts'),
    loadOperators(),
  ])
  return { perform, watchChanges }
})

/** Fetches what performs actions. @throws when it cannot be had; the next call tries again */
export const loadPerform = performing.load

/** Runs an action on what the scope says at this moment: at once when the code is here, in the same task as the press. Never throws. */
export async function act(steps: readonly Step[], scope: Scope, value: unknown, place: ActionPlace): Promise<Result> {
  const here = performing.ready()
  if (here) return here.perform(steps, scope, value, place)
  const pressed = pressOn(scope, value, place)
  try {
    const { perform } = await performing.load()
    return await perform(steps, scope, value, place, pressed)
  } catch {
    place.engine.ui.toast(place.engine.say('engine.step_failed'), 'error')
    return 'failed'
  }
}

/**
 * Runs the steps of `changes` when the values that they watch become others. Nobody pressed anything, so the place has a `source`.
 * @returns ends it
 */
export function actOnChanges(changes: ChangesDoc, scope: LiveScope, place: () => ActionPlace): () => void {
  let end: (() => void) | undefined
  const off = performing.whenReady(({ watchChanges }) => {
    end = watchChanges(changes, scope, (steps, before) => void act(steps, scope, before, place()))
  })
  return () => {
    off()
    end?.()
  }
}
