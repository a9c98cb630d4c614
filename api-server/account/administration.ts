import { NoResultError } from 'kysely'
import type { AccountContext } from '#api-server/account/context.ts'
import type { Decision } from '#api-server/kit/decision.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'

/** The actions of operators on an account, in their own transaction. */
export interface Administration {
  /** Locks an account. @returns its state @throws ApiProblem('not_found') */
  lock(tx: Tx, uid: number): Promise<'active' | 'frozen'>
  /**
   * A frozen account is logged out everywhere; its customer may log in again to read, close, cancel and end things, and gets a message
   * about it.
   */
  freeze(decision: Decision, uid: number, frozen: boolean): Promise<void>
  /** @returns how many sessions ended */
  endSessions(tx: Tx, uid: number): Promise<number>
  /** After the change: every node forgets what it believed of the sessions. */
  tell(uid: number): void
  /** Those that go on, last used first; times are ms UTC. */
  sessions(uid: number): Promise<{ id: string; device: string; ip: string; seen: number }[]>
}

export const createAdministration = ({ store, sessions, notices }: AccountContext): Administration => ({
  async lock(tx, uid) {
    const account = await store.lock(tx, uid).catch((error: unknown) => {
      throw error instanceof NoResultError ? new ApiProblem('not_found', { field: 'uid' }) : error
    })
    return account.status
  },
  async freeze({ tx }, uid, frozen) {
    await store.update(tx, uid, { status: frozen ? 'frozen' : 'active' })
    if (frozen) await sessions.endOthers(tx, uid, undefined)
    await notices.notify(tx, uid, { kind: frozen ? 'account_frozen' : 'account_freed', figures: {} })
  },
  endSessions: (tx, uid) => sessions.endOthers(tx, uid, undefined),
  tell: sessions.tell,
  sessions: async (uid) => (await sessions.list(uid)).map(({ id, device, ip, seen_at }) => ({ id, device, ip, seen: seen_at })),
})
