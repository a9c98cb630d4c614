import { CallProblem, ofSession } from '#renderer/calls/api.ts'
import type { Press } from '#renderer/calls/perform-presses.ts'
import type { Engine } from '#renderer/engine/types.ts'

/**
 * The outcome of a press, as the server reports it. done: with the data of its answer · unknown: nothing has happened · open: the outcome
 * is not decided yet · left: the session has ended, so that nobody may ask.
 */
export type Found = { state: 'done'; answer: unknown } | { state: 'unknown' | 'open' | 'left' }

const firstMs = 1_000
const everyMsMax = 15_000
const answerMs = 10_000
/** So often must the server say that nothing happened: the first time the call may still be on its way. */
const unknownMin = 2
const unsureMax = 4
const patienceMs = 600_000

const running = new Map<string, Promise<Found>>()

/** Asks now, after 1 s, 2 s, 4 s … and whenever the network is back, until it is known. One question at a time for a key. Never throws. */
export function findOut(engine: Engine, press: Press, unknownTimes = unknownMin): Promise<Found> {
  let found = running.get(press.key)
  if (!found) {
    found = ask(engine, press, unknownTimes).finally(() => running.delete(press.key))
    running.set(press.key, found)
  }
  return found
}

async function ask(engine: Engine, { key, call }: Press, unknownTimes: number): Promise<Found> {
  if (engine.outcomeCall === undefined) return { state: 'open' }
  const giveUpAt = engine.clock.elapsed() + patienceMs
  let unknown = 0
  let unsure = 0
  for (let wait = firstMs; engine.clock.elapsed() < giveUpAt; wait = Math.min(wait * 2, everyMsMax)) {
    const secret = engine.device.token()
    try {
      const outcome = (await engine.api.call(engine.outcomeCall, { key }, { signal: AbortSignal.timeout(answerMs) })) as {
        state: string
        answer: string
      }
      if (outcome.state === 'done') {
        const answer: unknown = outcome.answer ? JSON.parse(outcome.answer) : null
        engine.session.heard(call, answer, secret)
        return { state: 'done', answer }
      }
      unknown = outcome.state === 'unknown' ? unknown + 1 : 0
      if (unknown >= unknownTimes) return { state: 'unknown' }
    } catch (error) {
      if (ofSession(error)) return { state: 'left' }
      if (error instanceof CallProblem && error.name === 'outcome_unknown' && ++unsure >= unsureMax) return { state: 'open' }
    }
    await pause(wait)
  }
  return { state: 'open' }
}

/** Waits, at most until the network is back. */
export function pause(ms: number): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer)
      globalThis.removeEventListener?.('online', end)
      done()
    }
    const timer = setTimeout(end, ms)
    globalThis.addEventListener?.('online', end)
  })
}
