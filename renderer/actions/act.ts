import type { Step } from '#language/documents/documents.ts'
import type { Scope } from '#language/expression/expression.ts'
import type { perform } from '#renderer/actions/perform.ts'
import type { ActionPlace, Result } from '#renderer/actions/place.ts'
import { pressOn } from '#renderer/actions/press.ts'
import { readyToCompute } from '#renderer/engine/late-operators.ts'

/** Performing is no part of the first paint, so its code comes after it; a press that is earlier waits for it and is not lost. */
let performs: typeof perform | undefined
let coming: Promise<typeof perform> | undefined

/** Fetches what performs actions. @throws when it cannot be had; the next call tries again */
export function readyToAct(): Promise<typeof perform> {
  coming ??= Promise.all([import('#renderer/actions/perform.ts'), readyToCompute()]).then(
    ([module]) => (performs = module.perform),
    (problem: unknown) => {
      coming = undefined
      throw problem
    },
  )
  return coming
}

/** Runs an action on what the scope says at this moment: at once when the code is here, in the same task as the press. Never throws. */
export async function act(steps: readonly Step[], scope: Scope, value: unknown, place: ActionPlace): Promise<Result> {
  if (performs) return performs(steps, scope, value, place)
  const pressed = pressOn(scope, value, place)
  try {
    const run = await readyToAct()
    return await run(steps, scope, value, place, pressed)
  } catch {
    place.engine.ui.toast(place.engine.say('engine.broken_text'), 'error')
    return 'failed'
  }
}
