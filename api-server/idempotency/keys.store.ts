import { sql } from 'kysely'
import { type Database, type Db, fixed, type Tables, type Tx, write, writeAny } from '#server-kit/db/db.ts'

type Named = Pick<Tables['once_key'], 'owner' | 'key'>
export type KeyRow = Omit<Tables['once_key'], keyof Named>
export type Answer = Pick<KeyRow, 'answer' | 'sealed'>
export type NewKey = Named & Pick<KeyRow, 'call' | 'hash' | 'run' | 'loose' | 'at'>

export interface KeyStore {
  /**
   * From here to the end of the transaction those of other nodes with this key wait. The embedded database has one node, which does one at a time.
   * What follows sees what those before have committed.
   */
  turn(tx: Tx, named: Named): Promise<void>
  /** Waits two seconds at most for a transaction of another node with this key. @returns false when it has not ended */
  waitForTurn(named: Named): Promise<boolean>
  /** Takes the key together with its answer, as the last thing of a transaction. @throws a unique violation when it is taken */
  takeAnswered(tx: Tx, row: NewKey, answer: string): Promise<void>
  /** Takes the key at once. @returns false when it is taken */
  reserve(row: NewKey): Promise<boolean>
  find(named: Named): Promise<KeyRow | undefined>
  /** Takes a key over from a run that is not coming back. @returns false when somebody was faster, or it has come back */
  takeOver(row: NewKey, from: string): Promise<boolean>
  /** @throws RowCountError when the key is no longer this run's, which undoes the transaction */
  answer(tx: Tx | Db, named: Named & { run: string }, answer: Answer): Promise<void>
  /** Gives a key back that nothing was done with. */
  release(named: Named & { run: string }): Promise<void>
  /** Removes keys of before that time, and notes the time for the audit. @returns how many */
  removeOld(before: number, most: number): Promise<number>
}

const reserved = fixed(`insert into once_key (owner, key, call, hash, run, loose, at)
  values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`)
const taken = fixed(`insert into once_key (owner, key, call, hash, run, loose, at, answer)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`)
/** Two keys whose hashes are alike wait for one another, which does no harm. Locks of two numbers are others than those of one, see `turns` in db.ts. */
const turned = fixed<unknown>('select pg_advisory_xact_lock(1, hashtext($1))')
const lockNotAvailable = '55P03'
const answered = fixed(`update once_key set answer = $1, sealed = $2
  where owner = $3 and key = $4 and run = $5 and answer is null and sealed is null`)

const columns = ['call', 'hash', 'run', 'loose', 'answer', 'sealed', 'at'] as const

export function createKeyStore(database: Database): KeyStore {
  const { db } = database
  const hasNodes = database.engine === 'postgres'
  const valuesOf = ({ owner, key, call, hash, run, loose, at }: NewKey) => [owner, key, call, hash, run, loose, at]
  const turn = async (tx: Tx, { owner, key }: Named) => {
    if (hasNodes) await turned(tx, [`${owner} ${key}`]).execute()
  }
  return {
    turn,
    async waitForTurn(named) {
      if (!hasNodes) return true
      try {
        await database.transaction(async (tx) => {
          await sql`set local lock_timeout = '2s'`.execute(tx)
          await turn(tx, named)
        })
        return true
      } catch (error) {
        if ((error as { code?: unknown }).code === lockNotAvailable) return false
        throw error
      }
    },
    takeAnswered: async (tx, row, answer) => void (await write(1, taken(tx, [...valuesOf(row), answer]))),
    reserve: async (row) => (await writeAny(reserved(db, valuesOf(row)))) === 1,
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
