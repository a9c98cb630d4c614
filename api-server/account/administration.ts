import { NoResultError } from 'kysely'
import type { Parts } from '#api-server/account/parts.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'

/** What operators may do to an account, in their own transaction. */
export interface Administration {
  /** A frozen account is logged out everywhere and may not log in. @throws ApiProblem not_found, state_wrong when it is so already */
  freeze(tx: Tx, uid: number, frozen: boolean): Promise<void>
  /** @returns how many sessions ended */
  endSessions(tx: Tx, uid: number): Promise<number>
  /** After the change: every node forgets what it believed of the sessions. */
  tell(uid: number): void
  /** Those that go on, last used first; times are ms UTC. */
  sessions(uid: number): Promise<{ id: string; device: string; ip: string; seen: number }[]>
}

export const createAdministration = ({ store, sessions }: Parts): Administration => ({
  async freeze(tx, uid, frozen) {
    const { status } = await store.lock(tx, uid).catch((error: unknown) => {
      throw error instanceof NoResultError ? new ApiProblem('not_found', { field: 'uid' }) : error
    })
    const wanted = frozen ? 'frozen' : 'active'
    if (status === wanted) throw new ApiProblem('state_wrong')
    await store.update(tx, uid, { status: wanted })
    if (frozen) await sessions.endOthers(tx, uid, undefined)
  },
  endSessions: (tx, uid) => sessions.endOthers(tx, uid, undefined),
  tell: sessions.tell,
  sessions: async (uid) => (await sessions.list(uid)).map(({ id, device, ip, seen_at }) => ({ id, device, ip, seen: seen_at })),
})
