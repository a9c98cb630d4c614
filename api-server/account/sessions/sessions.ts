import * as z from 'zod'
import type { SessionRow } from '#api-server/account/account.migration.ts'
import { deviceName, sessionLimits } from '#api-server/account/sessions/session.rules.ts'
import { createSessionStore, type FoundSession, type SessionStore } from '#api-server/account/sessions/session.store.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Database, Tx } from '#server-kit/db/db.ts'
import type { Caller, User } from '#server-kit/http/http.ts'
import type { Bus } from '#server-kit/ops/bus.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { Log } from '#server-kit/ops/log.ts'
import { sentTokenHash } from '#server-kit/security/secrets.ts'
import { isOver, isSeenAgain, newSession } from '#server-kit/security/sessions.ts'

/** Sessions of an account ended, on whatever node: what was believed about it is forgotten. */
const endedTopic = 'account.sessions'
const ended = z.object({ account: z.int().positive() })
/** More tokens than that are never remembered at once. */
const rememberedMax = 20_000

export interface Sessions {
  /** Returns the caller; undefined for a visitor, and for a token that is not valid (any more). */
  userOf(caller: Caller): Promise<User | undefined>
  /** @throws ApiProblem('unauthorized') */
  requireUser(caller: Caller): Promise<User>
  /** For the socket. */
  check(token: string): Promise<{ uid: string; session: string } | undefined>
  /** Those of these sessions that have not ended, as the database says just now. */
  alive(ids: readonly string[]): Promise<Set<string>>
  open(tx: Tx, account: number, caller: Caller): Promise<{ token: string; id: string; expires: number }>
  list(account: number): Promise<SessionRow[]>
  end(account: number, id: string): Promise<boolean>
  /** Inside of a change; call `tell` once it is done. */
  endOthers(tx: Tx, account: number, but: string | undefined): Promise<number>
  /** Lets every node know that sessions of this account ended. A hint: without it nodes find out in three seconds. */
  tell(account: number): void
  /** Called when sessions of an account may have ended, here or on another node. @returns a function that ends it */
  listen(listener: (account: number) => void): () => void
  readonly store: SessionStore
}

export function createSessions({ database, clock, bus, log }: { database: Database; clock: Clock; bus: Bus; log: Log }): Sessions {
  const store = createSessionStore(database)
  const remembered = new Map<string, { session: FoundSession; readAt: number }>()
  /** How often sessions have ended: what was read before the last time may be over. */
  let endings = 0

  bus.subscribe(endedTopic, ended, ({ account }) => {
    endings++
    for (const [key, { session }] of remembered) if (session.account_id === account) remembered.delete(key)
  })

  async function find(token: string): Promise<FoundSession | undefined> {
    const hash = sentTokenHash(token)
    if (!hash) return undefined
    const key = hash.toString('base64')
    const now = performance.now()
    const known = remembered.get(key)
    if (known && now - known.readAt < sessionLimits.believedMs)
      return isOver(known.session, sessionLimits, clock.now()) ? undefined : known.session
    remembered.delete(key)
    const before = endings
    const found = await store.byToken(hash)
    if (!found || isOver(found, sessionLimits, clock.now())) return undefined
    if (endings !== before) return found
    if (remembered.size >= rememberedMax) remembered.clear()
    remembered.set(key, { session: found, readAt: now })
    return found
  }

  async function user(token: string | undefined, ip: string | undefined): Promise<User | undefined> {
    if (!token) return undefined
    const session = await find(token)
    if (!session) return undefined
    const now = clock.now()
    if (isSeenAgain(session, sessionLimits, now)) {
      session.seen_at = now
      store
        .seen(session.id, now, ip ?? session.ip)
        .catch((error: unknown) => log.warn({ err: error }, 'the last use of a session was not written'))
    }
    return { uid: session.account_id, session: session.id, ...(session.status === 'frozen' && { frozen: true }) }
  }
  const tell = (account: number) => bus.publish(endedTopic, { account })

  return {
    store,
    userOf: (caller) => user(caller.token, caller.ip),
    async requireUser(caller) {
      const found = await user(caller.token, caller.ip)
      if (!found) throw new ApiProblem('unauthorized')
      return found
    },
    async check(token) {
      const found = await user(token, undefined)
      return found && { uid: String(found.uid), session: found.session }
    },
    alive: (ids) => store.alive(ids, clock.now()),
    async open(tx, account, caller) {
      const { token, session } = newSession(sessionLimits, clock.now())
      const { agent, ip, userAgent = '' } = caller
      await store.create(tx, account, { ...session, account_id: account, device: deviceName(userAgent), agent, ip })
      return { token, id: session.id, expires: session.expires_at }
    },
    list: async (account) => (await store.list(account)).filter((session) => !isOver(session, sessionLimits, clock.now())),
    async end(account, id) {
      const done = await database.transaction((tx) => store.end(tx, account, id))
      tell(account)
      return done
    },
    endOthers: (tx, account, but) => store.endAll(tx, account, but),
    tell,
    listen: (listener) => bus.subscribe(endedTopic, ended, ({ account }) => listener(account)),
  }
}
