import type { QueryClient } from '@tanstack/query-core'
import type { Device } from '#renderer/device/device.ts'
import { type User, userOf, type Visitor } from '#renderer/session/session.rules.ts'

/** What the session gives to root `session`. `user` is absent for visitors and until it is known. */
export interface SessionRoot {
  logged_in: boolean
  /** visitor: no token · checking: a token whose account has not answered yet · customer. */
  state: 'visitor' | 'checking' | 'customer'
  user: User | undefined
  uid: string
  kyc: number
}

/** Who is logged in on this device. Everything that depends on it follows, in other tabs too. */
export interface Session {
  root(): SessionRoot
  who(): Visitor
  /** False for a call that needs a session while there is none. */
  mayCall(call: string): boolean
  begin(token: string): void
  /** Token, account and everything that was loaded with it are gone; what people entered is not. */
  end(): void
  /** Takes what user.info answered; false when it is no account. */
  adopt(answer: unknown): boolean
  /** An answer came, to a call that was sent with this token: it may be the account, or have changed it. */
  heard(call: string, answer: unknown, secret: string | undefined): void
  /** The account cannot be had now. */
  giveUp(): void
}

export interface SessionOptions {
  device: Device
  queries: QueryClient
  needsUser: (call: string) => boolean
  wake: (topic: keyof SessionRoot) => void
  /** Another token, or none. */
  onToken: () => void
  /** The account is to be asked for; `anew`: a question that is on its way will not do. */
  ask: (anew?: boolean) => void
}

/** Calls after which user.info answers something else. */
const changesUser = /^user\.(?:edit|upload|reset|safe|totpConfirm|totpRemove|real|doAuth)/

export function createSession({ device, queries, needsUser, wake, onToken, ask }: SessionOptions): Session {
  let token = device.token()
  let user = kept()
  let confirmed = false
  let gaveUp = false
  let root = build()

  function kept(): User | undefined {
    if (token === undefined) return undefined
    try {
      return userOf(JSON.parse(device.kept('user') ?? 'null'))
    } catch {
      return undefined
    }
  }
  function build(): SessionRoot {
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
    for (const name of Object.keys(root) as (keyof SessionRoot)[]) if (!Object.is(before[name], root[name])) wake(name)
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

  device.onChange('token', tokenChanged)
  device.onChange('user', () => {
    const told = kept()
    if (told) set(told)
  })
  return {
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
    giveUp() {
      if (user || gaveUp) return
      gaveUp = true
      wake('kyc')
    },
  }
}
