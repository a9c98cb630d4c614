import type { AccountRoot, AccountSession, AppEngine } from '#app/session/app-engine.ts'
import { type User, userOf } from '#app/session/session.rules.ts'
import { lazy } from '#renderer/core/lazy.ts'
import type { Host } from '#renderer/engine/types.ts'

/** The code of login and logout is loaded when it is needed, not before the first paint. */
const flow = lazy(() => import('#app/session/session-flow.ts'))

export function createSession({ device, queries, api, needsUser, wake, onToken, engine }: Host): AccountSession {
  let token = device.token()
  let user = kept()
  let confirmed = false
  let gaveUp = false
  let root = build()
  let started = false

  function kept(): User | undefined {
    if (token === undefined) return undefined
    try {
      return userOf(JSON.parse(device.kept('user') ?? 'null'))
    } catch {
      return undefined
    }
  }
  function build(): AccountRoot {
    return {
      logged_in: token !== undefined,
      state: token === undefined ? 'visitor' : confirmed ? 'customer' : 'checking',
      user,
      uid: user ? String(user.uid) : '',
      kyc: user?.level ?? 0,
    }
  }
  /** The first manifest is requested before the session exists, so the engine reads from the device for whom it is. */
  function keepSegment(): void {
    device.keep('segment', token === undefined ? null : `1.${user?.level ?? 0}`)
  }
  /** Notifies the readers of changed members only. */
  function settle(): void {
    const before = root
    root = build()
    keepSegment()
    for (const name of Object.keys(root) as (keyof AccountRoot)[]) if (!Object.is(before[name], root[name])) wake(`session.${name}`)
  }
  const ofCustomer = { predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => needsUser(String(queryKey[0])) }

  function tokenChanged(): void {
    const next = device.token()
    if (next === token) return
    token = next
    confirmed = gaveUp = false
    user = kept()
    // Data of the previous customer is removed first, then screens load data of the next one.
    for (const query of queries.getQueryCache().findAll(ofCustomer)) query.reset()
    settle()
    if (token !== undefined) void queries.refetchQueries({ ...ofCustomer, type: 'active' }, { cancelRefetch: false })
    onToken()
    if (token !== undefined) ask()
  }
  function set(next: User): void {
    if (JSON.stringify(next) !== JSON.stringify(user)) user = next
    settle()
  }

  function adopt(answer: unknown): boolean {
    const next = userOf(answer)
    if (!next || token === undefined) return false
    confirmed = true
    set(next)
    device.keep('user', JSON.stringify(next))
    return true
  }

  /** Nothing waits for this code to load. @param anew the account has changed, so a running request may have an outdated answer */
  function ask(anew?: boolean): void {
    if (!started || token === undefined) return
    void flow
      .load()
      .then(({ loadUser }) => loadUser(engine() as AppEngine, anew))
      .catch(giveUp)
  }
  function giveUp(): void {
    if (user || gaveUp) return
    gaveUp = true
    wake('session.kyc')
  }

  // A session that an earlier version began has none.
  keepSegment()
  device.onChange('token', tokenChanged)
  device.onChange('user', () => {
    const stored = kept()
    if (stored) set(stored)
  })
  const session: AccountSession = {
    root: () => root,
    who: () => ({ loggedIn: token !== undefined, level: user?.level, asking: !gaveUp }),
    mayCall: (call) => token !== undefined || !needsUser(call),
    begin(next) {
      // The account is replaced before the token, so that no tab ever combines an old account with a new token.
      if (next !== token) device.keep('user', null)
      device.setToken(next)
    },
    end() {
      device.keep('user', null)
      device.setToken(undefined)
    },
    adopt,
    heard(call, answer, secret) {
      if (token === undefined || secret !== token) return
      if (call === 'user.info') adopt(answer)
      else if (api.changesSession?.(call)) ask(true)
    },
    giveUp,
    start() {
      started = true
      ask()
    },
    login: async (next) => (await flow.load()).login(engine() as AppEngine, next),
    logout: async () => (await flow.load()).logout(engine() as AppEngine),
  }
  return session
}
