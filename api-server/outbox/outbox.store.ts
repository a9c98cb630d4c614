import type { OutboxRow } from '#api-server/outbox/outbox.migration.ts'
import { type Database, type Tx, write, writeAny } from '#server-kit/db/db.ts'

/** A taken message. The number of attempts identifies the taking. */
export type Taken = Pick<OutboxRow, 'id' | 'tries'>

interface OutboxStore {
  insert(tx: Tx, row: Omit<OutboxRow, 'id' | 'tries'>): Promise<void>
  /** Takes due messages; no other node sends them until `takenUntil`. */
  take(channel: OutboxRow['channel'], now: number, takenUntil: number, atMost: number): Promise<OutboxRow[]>
  /** Ends a message and removes its text. No effect when another node has taken the message since, or it was removed. */
  end(taken: Taken, status: 'sent' | 'failed' | 'expired'): Promise<void>
  /** Schedules the next attempt. No effect in the same cases. */
  again(taken: Taken, nextAt: number): Promise<void>
  /** Waiting messages, including those being sent, newest first. */
  waiting(target: string | undefined): Promise<OutboxRow[]>
  /** Messages in any state, newest first, with an id below `before`. @param search part of the target or of the kind */
  page(search: string | undefined, before: number | undefined, atMost: number): Promise<OutboxRow[]>
  one(id: number): Promise<OutboxRow | undefined>
  removeOld(before: number): Promise<void>
}

const nothing = Buffer.alloc(0)

export function createOutboxStore(database: Database): OutboxStore {
  const { db } = database
  const still = ({ id, tries }: Taken) =>
    db.updateTable('outbox').where('id', '=', id).where('tries', '=', tries).where('status', '=', 'sending')
  return {
    insert: async (tx, row) => void (await write(1, tx.insertInto('outbox').values({ ...row, tries: 0 } as OutboxRow))),
    take: (channel, now, takenUntil, atMost) =>
      database.transaction(async (tx) => {
        const due = await tx
          .selectFrom('outbox')
          .selectAll()
          .where('channel', '=', channel)
          .where('status', 'in', ['waiting', 'sending'])
          .where('next_at', '<=', now)
          .orderBy('id')
          .limit(atMost)
          .forUpdate()
          .skipLocked()
          .execute()
        if (!due.length) return []
        const ids = due.map(({ id }) => id)
        await write(
          due.length,
          tx
            .updateTable('outbox')
            .set((row) => ({ status: 'sending', next_at: takenUntil, tries: row('tries', '+', 1) }))
            .where('id', 'in', ids),
        )
        return due.map((row) => ({ ...row, tries: row.tries + 1 }))
      }),
    end: async (taken, status) => void (await writeAny(still(taken).set({ status, message: nothing }))),
    again: async (taken, nextAt) => void (await writeAny(still(taken).set({ status: 'waiting', next_at: nextAt }))),
    waiting(target) {
      const all = db.selectFrom('outbox').selectAll().where('status', 'in', ['waiting', 'sending', 'sent'])
      return (target === undefined ? all : all.where('target', '=', target)).orderBy('id', 'desc').limit(200).execute()
    },
    page(search, before, atMost) {
      let all = db.selectFrom('outbox').selectAll()
      if (before !== undefined) all = all.where('id', '<', before)
      if (search) {
        const part = `%${search.replace(/[\\%_]/g, '\\$&')}%`
        all = all.where((row) => row.or([row('target', 'ilike', part), row('kind', 'ilike', part)]))
      }
      return all.orderBy('id', 'desc').limit(atMost).execute()
    },
    one: (id) => db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst(),
    removeOld: async (before) => void (await writeAny(db.deleteFrom('outbox').where('created_at', '<', before))),
  }
}
