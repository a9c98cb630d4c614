import type { ScreenDoc } from '#language/documents/documents.ts'
import { compileValue } from '#language/expression/value.ts'
import type { ActionPlace } from '#renderer/actions/place.ts'
import { CallProblem } from '#renderer/calls/api.ts'
import { type Found, findOut } from '#renderer/calls/perform-outcome.ts'
import { awaited, dropPress, keepPress, lostPresses, type Press, pressLimits, thisTab } from '#renderer/calls/perform-presses.ts'
import type { Effect } from '#renderer/core/plan.ts'
import { outdate, renewShown } from '#renderer/data/data-live.ts'
import type { Engine } from '#renderer/engine/types.ts'

type CallEffect = Extract<Effect, { do: 'call' }>

/** The call was abandoned. Nothing is shown. */
export class Left extends Error {}

/** Problems after which the outcome of the call is unknown. */
const lost = new Set(['network_failed', 'timed_out', 'answer_unreadable', 'outcome_unknown', 'busy', 'internal'])
/** Whether the outcome of a call is unknown after a problem. */
export const isLost = (error: unknown) => error instanceof CallProblem && lost.has(error.name)

/** The context of the action that sends a call, and the callbacks that it wants. */
interface Sender {
  /** The customer has left the screen of the press. */
  left: () => boolean
  /** A call with a key was done. @param title of the screen that it was sent from */
  done: (title: string) => void
}
const present: Sender = { left: () => false, done: () => undefined }

/**
 * Sends a call of an action. If the answer is lost and the call has a key, asks the server for the outcome and returns the stored answer.
 * @throws CallProblem when refused; Left when the call did not happen and the customer does not send it again
 */
export async function sendCall({ call, args }: CallEffect, key: string, place: ActionPlace, sender: Sender = present): Promise<unknown> {
  const { engine } = place
  if (!(await engine.api.keyed?.(call))) return engine.api.call(call, args, { key })
  await askOfEarlier(engine, call, sender)
  // A call that was never sent needs no look-up of its outcome.
  if (globalThis.navigator?.onLine === false) throw new CallProblem(0, 'network_failed')
  const press: Press = {
    key,
    call,
    screen: place.screen.id,
    title: titleOf(place),
    uid: engine.session.root().uid,
    at: engine.clock.now(),
    tab: thisTab(),
  }
  keepPress(engine, press)
  awaited.add(key)
  try {
    return await untilKnown(() => engine.api.call(call, args, { key }), engine, press, sender)
  } finally {
    awaited.delete(key)
  }
}

async function untilKnown(send: () => Promise<unknown>, engine: Engine, press: Press, sender: Sender): Promise<unknown> {
  for (;;) {
    try {
      const answer = await send()
      dropPress(engine, press.key)
      sender.done(press.title)
      return answer
    } catch (error) {
      const found = isLost(error) ? await whileChecking(engine, press) : undefined
      if (found?.state === 'left' || found?.state === 'open') throw new Left()
      dropPress(engine, press.key)
      if (found?.state === 'done') {
        sender.done(press.title)
        return found.answer
      }
      // It was refused; or the server says itself that it failed, and nothing is left of it.
      if (!found || (error as CallProblem).name === 'internal') throw error
      if (sender.left()) {
        tellPress(engine, press, found)
        throw new Left()
      }
      keepPress(engine, { ...press, quiet: true })
      if (!(await offerAgain(engine)) || sender.left()) throw new Left()
    }
  }
}

/** Shows a prompt while the outcome is requested. If the customer closes it, the outcome is shown later. */
async function whileChecking(engine: Engine, press: Press): Promise<Found> {
  const { ui, say } = engine
  const asking = findOut(engine, press)
  const aside = ui.ask(
    {
      title: say('engine.checking_title'),
      text: say('engine.checking_text'),
      rows: [],
      danger: false,
      busy: true,
      ok: say('engine.checking_aside'),
      cancel: undefined,
    },
    asking,
  )
  const found = await Promise.race([asking, aside.then(() => undefined)])
  if (!found) void asking.then((late) => tellPress(engine, press, late))
  else if (found.state === 'open') tellPress(engine, press, found)
  return found ?? { state: 'left' }
}

const offerAgain = ({ ui, say }: Engine) =>
  ui.ask({
    title: say('engine.press_lost_title'),
    text: say('engine.press_lost_text'),
    rows: [],
    danger: false,
    ok: say('engine.press_again'),
    cancel: say('engine.press_leave'),
  })

/** Reports the outcome of a press that nobody waits for any more. */
export function tellPress(engine: Engine, press: Press, { state }: Found): void {
  if (state === 'left') return
  dropPress(engine, press.key)
  if (state === 'done') {
    outdate(engine)
    renewShown(engine)
  }
  if (press.quiet && state !== 'done') return
  const { ui, say } = engine
  const what = press.title || say('engine.press_untitled')
  void ui.ask({ title: what, text: say(`engine.press_${state}`), rows: [], danger: false, ok: say('engine.ok'), cancel: undefined })
}

/** Says, over another screen than the one that sent it, that a call was done. @param title of the screen that sent it */
export function tellDone({ ui, say }: Engine, title: string): void {
  const done = say('engine.press_done')
  ui.toast(title ? say('engine.press_done_of', { title, done }) : done, 'success')
}

/** Blocks a call whose earlier sending has no known outcome. @throws Left when that stays so, one is enough, or the customer left the screen */
async function askOfEarlier(engine: Engine, call: string, { left }: Sender): Promise<void> {
  const { ui, say } = engine
  for (const press of lostPresses(engine)) {
    if (press.call !== call) continue
    const found = await whileChecking(engine, press)
    if (found.state === 'left' || found.state === 'open') throw new Left()
    if (left()) {
      tellPress(engine, press, found)
      throw new Left()
    }
    dropPress(engine, press.key)
    if (found.state === 'unknown') continue
    const another = await ui.ask({
      title: press.title || say('engine.press_untitled'),
      text: say('engine.press_earlier'),
      rows: [],
      danger: false,
      ok: say('engine.press_another'),
      cancel: say('engine.press_once'),
    })
    if (!another || left()) throw new Left()
  }
}

/** Returns the title of the screen as it shows now. */
function titleOf({ engine, screen, store }: ActionPlace): string {
  const doc = engine.config.document(`screen/${screen.id}`) as ScreenDoc | undefined
  if (doc?.title === undefined) return ''
  const { value } = compileValue(doc.title).evaluate(store, engine.say)
  return typeof value === 'string' ? value.slice(0, pressLimits.titleMax) : ''
}
