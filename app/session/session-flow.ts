import type { AppEngine } from '#app/session/app-engine.ts'
import { favouritesOf } from '#app/session/favourites.ts'
import { draftsOf } from '#renderer/forms/drafts.ts'

/** What happens when somebody logs in or out. None of it is needed before the first screen is drawn. */

const againMs = 30_000
const running = new WeakMap<AppEngine, { token: string; done: Promise<void> }>()

/**
 * Asks who is logged in. Never throws: a session that has ended is dealt with, and what cannot be had now is asked for again.
 * @param anew the account was changed: an answer that is on its way may not know of it yet
 */
export function loadUser(engine: AppEngine, anew = false): Promise<void> {
  const token = engine.device.token()
  if (token === undefined) return Promise.resolve()
  const known = running.get(engine)
  if (known?.token === token) return anew ? known.done.then(() => loadUser(engine)) : known.done
  const done = ask(engine, token).finally(() => running.get(engine)?.done === done && running.delete(engine))
  running.set(engine, { token, done })
  return done
}

async function ask(engine: AppEngine, token: string): Promise<void> {
  const { device, session, problems, api } = engine
  // Before the answer: a session that ends now gives the device its own list back.
  const favourites = favouritesOf(engine)
  try {
    const answer = await api.call('user.info', {})
    if (device.token() !== token) return
    if (session.adopt(answer)) void favourites.meet()
    else session.giveUp()
  } catch (error) {
    if (problems.take(error, { secret: token })) return
    session.giveUp()
    const again = () => {
      clearTimeout(timer)
      globalThis.removeEventListener?.('online', again)
      if (device.token() === token) void loadUser(engine)
    }
    const timer = setTimeout(again, againMs)
    globalThis.addEventListener?.('online', again)
  }
}

/** Step `login`. False when the token is none, or is refused at once. */
export async function login(engine: AppEngine, token: string): Promise<boolean> {
  engine.session.begin(token)
  if (engine.device.token() !== token) return false
  await loadUser(engine)
  return engine.device.token() === token
}

/** Step `logout`: here it is done at once; the server hears of it as soon as it can. */
export function logout(engine: AppEngine): void {
  const { api, gate, session, device } = engine
  if (device.token() === undefined) return
  gate.leave()
  void api.call('user.logout', {}).catch(() => undefined)
  favouritesOf(engine).part(false)
  draftsOf(engine).forget()
  session.end()
}
