import type { AccountRoot, AccountSession, AppEngine } from '#app/session/app-engine.ts'
import { type User, userOf } from '#app/session/session.rules.ts'
import { lazy } from '#renderer/core/lazy.ts'
import type { Host } from '#renderer/engine/types.ts'

/** Logging in and out is no part of the first paint, so its code comes when it is needed. */
const flow = lazy(() => import('#app/session/session-flow.ts'))

/** Calls after which user.info answers something else. */
const changesUser = /^user\.(?:edit|upload|reset|safe|totpConfirm|totpRemove|real|doAuth)/

export function createSession({ device, queries, needsUser, wake, onToken, engine }: Host): AccountSession {
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
  /** Wakes who reads what is another now, and nobody else. */
  function settle(): void {
    const before = root
    root = build()
    for (const name of Object.keys(root) as (keyof AccountRoot)[]) if (!Object.is(before[name], root[name])) wake(`session.${name}`)
  }
  const ofCustomer = { predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => needsUser(String(queryKey[0])) }

  function tokenChanged(): void {
    const next = device.token()
    if (next === token) return
    token = next
    confirmed = gaveUp = false
    user = kept()
    // First nothing of the customer before is left, then screens load what the next may see.
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

  /** Without the code of it nobody is kept waiting. @param anew the account was changed: an answer that is on its way may not know of it */
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

  device.onChange('token', tokenChanged)
  device.onChange('user', () => {
    const told = kept()
    if (told) set(told)
  })
  const session: AccountSession = {
    root: () => root,
    who: () => ({ loggedIn: token !== undefined, level: user?.level, asking: !gaveUp }),
    mayCall: (call) => token !== undefined || !needsUser(call),
    begin(next) {
      // The account before the token: no tab may ever see an old account with a new token.
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
      else if (changesUser.test(call)) ask(true)
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
