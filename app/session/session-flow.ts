import type { AppEngine } from '#app/session/app-engine.ts'
import { favouritesOf } from '#app/session/favourites.ts'
import { draftsOf } from '#renderer/forms/drafts.ts'

/** Work of a login and a logout. It is loaded after the first screen. */

const againMs = 30_000
const running = new WeakMap<AppEngine, { token: string; done: Promise<void> }>()

/**
 * Loads the account. Never throws: an ended session is handled, and a failed call is repeated later.
 * @param anew the account has changed, so a running request may have an outdated answer
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
  // Loaded before the answer: when the session ends now, the device's own list must be restored.
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

/** Step `login`. False when the token is invalid or refused at once. */
export async function login(engine: AppEngine, token: string): Promise<boolean> {
  engine.session.begin(token)
  if (engine.device.token() !== token) return false
  await loadUser(engine)
  return engine.device.token() === token
}

/** Step `logout`: takes effect on the device at once; the server is notified as soon as possible. */
export function logout(engine: AppEngine): void {
  const { api, gate, session, device } = engine
  if (device.token() === undefined) return
  gate.leave()
  void api.call('user.logout', {}).catch(() => undefined)
  favouritesOf(engine).part(false)
  draftsOf(engine).forget()
  session.end()
}
