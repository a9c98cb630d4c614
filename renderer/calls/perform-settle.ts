import { tellPress } from '#renderer/calls/perform-call.ts'
import { findOut } from '#renderer/calls/perform-outcome.ts'
import { lostPresses, pressLimits } from '#renderer/calls/perform-presses.ts'
import type { Engine } from '#renderer/engine/types.ts'

/** The page may have been left while the call was on its way, so the server must say three times that it never came. */
const unknownTimes = 3

/** Finds the outcome of this customer's calls before the page was loaded, now and whenever another customer logs in. */
export function settlePresses(engine: Engine): void {
  const startedAt = engine.clock.now()
  const asked = new Set<string>()
  const look = () => {
    if (engine.session.root().state !== 'customer') return
    for (const press of lostPresses(engine)) {
      // A press that was stored after the start belongs to the code that sent it.
      if (press.at >= startedAt || asked.has(press.key)) continue
      asked.add(press.key)
      void findOut(engine, press, unknownTimes).then((found) => {
        if (found.state === 'left') asked.delete(press.key)
        tellPress(engine, press, found)
      })
    }
  }
  for (const name of ['state', 'uid']) engine.outer.subscribe(`session.${name}`, look)
  look()
  // By then a tab that was closed has been gone for long enough.
  setTimeout(look, pressLimits.otherTabMs)
}
