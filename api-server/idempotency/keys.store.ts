import { sql } from 'kysely'
import { type Database, type Db, fixed, type Tx, write, writeAny } from '#server-kit/db/db.ts'

export interface KeyRow {
  call: string
  hash: Buffer
  run: string
  loose: boolean
  answer: string | null
  sealed: Buffer | null
  at: number
}
export type Answer = Pick<KeyRow, 'answer' | 'sealed'>
interface Named {
  owner: string
  key: string
}
export type NewKey = Named & Pick<KeyRow, 'call' | 'hash' | 'run' | 'loose' | 'at'>

export interface KeyStore {
  /**
   * Takes the key in the caller's transaction. On PostgreSQL it waits while another transaction is taking the same key.
   * @returns false when the key is already taken
   */
  take(tx: Tx, row: NewKey): Promise<boolean>
  /** Takes the key and stores its answer at the end of a transaction. @returns false when the key is already taken */
  takeAnswered(tx: Tx, row: NewKey, answer: string): Promise<boolean>
  /** Takes the key in a transaction of its own. @returns false when the key is already taken */
  reserve(row: NewKey): Promise<boolean>
  find(named: Named): Promise<KeyRow | undefined>
  /** Takes a key over from an abandoned run. @returns false when another run took it over first, or the abandoned run has answered */
  takeOver(row: NewKey, from: string): Promise<boolean>
  /** Stores the answer. @throws RowCountError when another run has taken the key over; the error undoes the transaction */
  answer(tx: Tx | Db, named: Named & { run: string }, answer: Answer): Promise<void>
  /** Limits further lock waits of the transaction to two seconds. PostgreSQL only. */
  boundWait(tx: Tx): Promise<void>
  /** Gives back a key whose call had no effect. */
  release(named: Named & { run: string }): Promise<void>
  /** Removes keys older than `before` and stores that time for the audit. @returns the number of removed keys */
  removeOld(before: number, most: number): Promise<number>
}

const inserted = fixed(`insert into once_key (owner, key, call, hash, run, loose, answer, sealed, at)
  values ($1, $2, $3, $4, $5, $6, $7, null, $8) on conflict do nothing`)
const answered = fixed(`update once_key set answer = $1, sealed = $2
  where owner = $3 and key = $4 and run = $5 and answer is null and sealed is null`)

const columns = ['call', 'hash', 'run', 'loose', 'answer', 'sealed', 'at'] as const

export function createKeyStore(database: Database): KeyStore {
  const { db } = database
  const insert = (to: Db | Tx, { owner, key, call, hash, run, loose, at }: NewKey, answer: string | null = null) =>
    writeAny(inserted(to, [owner, key, call, hash, run, loose, answer, at]))
  return {
    take: async (tx, row) => (await insert(tx, row)) === 1,
    takeAnswered: async (tx, row, answer) => (await insert(tx, row, answer)) === 1,
    reserve: async (row) => (await insert(db, row)) === 1,
    find: ({ owner, key }) =>
      db.selectFrom('once_key').select(columns).where('owner', '=', owner).where('key', '=', key).executeTakeFirst(),
    takeOver: async ({ owner, key, call, hash, run, loose, at }, from) =>
      (await writeAny(
        db
          .updateTable('once_key')
          .set({ call, hash, run, loose, at })
          .where('owner', '=', owner)
          .where('key', '=', key)
          .where('run', '=', from)
          .where('answer', 'is', null)
          .where('sealed', 'is', null),
      )) === 1,
    async answer(tx, { owner, key, run }, answer) {
      await write(1, answered(tx, [answer.answer, answer.sealed, owner, key, run]))
    },
    boundWait: async (tx) => void (await sql`set local lock_timeout = '2s'`.execute(tx)),
    async release({ owner, key, run }) {
      await writeAny(
        db
          .deleteFrom('once_key')
          .where('owner', '=', owner)
          .where('key', '=', key)
          .where('run', '=', run)
          .where('answer', 'is', null)
          .where('sealed', 'is', null),
      )
    },
    removeOld: (before, most) =>
      database.transaction(async (tx) => {
        await writeAny(tx.updateTable('once_sweep').set({ before }).where('before', '<', before))
        return writeAny(
          tx
            .deleteFrom('once_key')
            .where(({ eb, refTuple, selectFrom }) =>
              eb(
                refTuple('owner', 'key'),
                'in',
                selectFrom('once_key').select(['owner', 'key']).where('at', '<', before).orderBy('at').limit(most).$asTuple('owner', 'key'),
              ),
            ),
        )
      }),
  }
}
