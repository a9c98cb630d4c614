import { NoResultError } from 'kysely'
import type { AccountContext } from '#api-server/account/context.ts'
import type { FreezeChange } from '#api-server/account/proof.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'

/** The actions of operators on an account, in the operators' own transaction. */
export interface Administration {
  /**
   * A frozen account is logged out everywhere; its customer may log in again to read, close, cancel and end things, and gets a message
   * about it. With `needsTwo` the first operator only asks, and another one freezes. Releasing an account takes back what an operator
   * asked.
   * @throws ApiProblem not_found, state_wrong when it is so already, own_decision for the operator who asked
   */
  freeze(tx: Tx, uid: number, change: FreezeChange): Promise<'asked' | 'dropped' | 'frozen' | 'freed'>
  /** @returns how many sessions ended */
  endSessions(tx: Tx, uid: number): Promise<number>
  /** After the change: every node forgets what it believed of the sessions. */
  tell(uid: number): void
  /** Those that go on, last used first; times are ms UTC. */
  sessions(uid: number): Promise<{ id: string; device: string; ip: string; seen: number }[]>
}

export const createAdministration = ({ store, sessions, notices }: AccountContext): Administration => ({
  async freeze(tx, uid, { frozen, by, needsTwo }) {
    const account = await store.lock(tx, uid).catch((error: unknown) => {
      throw error instanceof NoResultError ? new ApiProblem('not_found', { field: 'uid' }) : error
    })
    const asked = account.freeze_asked_by
    const none = { freeze_asked_by: null, freeze_asked_name: '' }
    if (!frozen && account.status === 'active' && asked !== null) {
      await store.update(tx, uid, none)
      return 'dropped'
    }
    const wanted = frozen ? 'frozen' : 'active'
    if (account.status === wanted) throw new ApiProblem('state_wrong')
    if (frozen && needsTwo) {
      if (asked === by.id) throw new ApiProblem('own_decision')
      if (asked === null) {
        await store.update(tx, uid, { freeze_asked_by: by.id, freeze_asked_name: by.name })
        return 'asked'
      }
    }
    await store.update(tx, uid, { status: wanted, ...none })
    if (frozen) await sessions.endOthers(tx, uid, undefined)
    await notices.notify(tx, uid, { kind: frozen ? 'account_frozen' : 'account_freed', figures: {} })
    return frozen ? 'frozen' : 'freed'
  },
  endSessions: (tx, uid) => sessions.endOthers(tx, uid, undefined),
  tell: sessions.tell,
  sessions: async (uid) => (await sessions.list(uid)).map(({ id, device, ip, seen_at }) => ({ id, device, ip, seen: seen_at })),
})
