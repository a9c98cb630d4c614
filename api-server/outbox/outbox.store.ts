import type { OutboxRow } from '#api-server/outbox/outbox.migration.ts'
import { type Database, type Db, type Tx, write, writeAny } from '#server-kit/db/db.ts'
import { anywhere } from '#server-kit/db/like.ts'
import { pageOf } from '#server-kit/http/list-bounds.ts'

/** A taken message. The number of attempts identifies the taking. */
export type Taken = Pick<OutboxRow, 'id' | 'tries'>

interface OutboxStore {
  insert(tx: Tx, row: Omit<OutboxRow, 'id' | 'tries'>): Promise<void>
  /** Takes a due message; no other node sends it until `takenUntil`. @returns undefined where another node has taken it since */
  take(found: OutboxRow, takenUntil: number): Promise<OutboxRow | undefined>
  /** Ends a message and removes its text. No effect when another node has taken the message since, or it was removed. */
  end(taken: Taken, status: 'sent' | 'failed' | 'expired', tx?: Tx): Promise<void>
  /** Leaves a message for a later attempt. @returns false in the same cases */
  again(taken: Taken): Promise<boolean>
  /** Waiting messages, including those being sent, newest first. */
  waiting(target: string | undefined): Promise<OutboxRow[]>
  /** Messages in any state, newest first. @param search part of the target or of the kind @param page from 1 on */
  page(search: string | undefined, page: number, size: number): Promise<{ rows: OutboxRow[]; total: number }>
  one(id: number): Promise<OutboxRow | undefined>
  removeOld(before: number): Promise<void>
}

const nothing = Buffer.alloc(0)

export function createOutboxStore({ db }: Database): OutboxStore {
  const still = ({ id, tries }: Taken, to: Db | Tx = db) =>
    to.updateTable('outbox').where('id', '=', id).where('tries', '=', tries).where('status', 'in', ['waiting', 'sending'])
  return {
    insert: async (tx, row) => void (await write(1, tx.insertInto('outbox').values({ ...row, tries: 0 } as OutboxRow))),
    take: (found, takenUntil) =>
      still(found)
        .set((row) => ({ status: 'sending', next_at: takenUntil, tries: row('tries', '+', 1) }))
        .returningAll()
        .executeTakeFirst(),
    end: async (taken, status, tx) => void (await writeAny(still(taken, tx).set({ status, message: nothing }))),
    again: async (taken) => (await writeAny(still(taken).set({ status: 'waiting', next_at: 0 }))) === 1,
    waiting(target) {
      const all = db.selectFrom('outbox').selectAll().where('status', 'in', ['waiting', 'sending', 'sent'])
      return (target === undefined ? all : all.where('target', '=', target)).orderBy('id', 'desc').limit(200).execute()
    },
    page(search, page, size) {
      let all = db.selectFrom('outbox').selectAll()
      if (search) {
        const part = anywhere(search)
        all = all.where((row) => row.or([row('target', 'ilike', part), row('kind', 'ilike', part)]))
      }
      return pageOf(db, all.orderBy('id', 'desc'), { page, size }, null)
    },
    one: (id) => db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst(),
    removeOld: async (before) => void (await writeAny(db.deleteFrom('outbox').where('created_at', '<', before))),
  }
}
