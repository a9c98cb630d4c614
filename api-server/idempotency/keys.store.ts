import { sql } from 'kysely'
import { type Database, type Db, fixed, type Tables, type Tx, write, writeAny } from '#server-kit/db/db.ts'

type Named = Pick<Tables['once_key'], 'owner' | 'key'>
export type KeyRow = Omit<Tables['once_key'], keyof Named>
export type Answer = Pick<KeyRow, 'answer' | 'sealed'>
export type NewKey = Named & Pick<KeyRow, 'call' | 'hash' | 'run' | 'loose' | 'at'>

export interface KeyStore {
  /**
   * Locks the keys until the end of the transaction, so that transactions of other nodes with one of them wait. Later statements see what
   * earlier transactions with the keys have committed. The embedded database needs no lock: it runs one transaction at a time.
   */
  turn(tx: Tx, named: readonly Named[]): Promise<void>
  /** Those of the keys that are taken. */
  taken(tx: Tx, named: readonly Named[]): Promise<Named[]>
  /** Waits at most two seconds for a transaction of another node with this key. @returns false when it is still open */
  waitForTurn(named: Named): Promise<boolean>
  /** Takes the keys and stores their answers, as the last statement of a transaction. @throws a unique violation when one is already taken */
  takeAnswered(tx: Tx, rows: readonly (NewKey & { answer: string })[]): Promise<void>
  /** Takes the key in a transaction of its own. @returns false when the key is already taken */
  reserve(row: NewKey): Promise<boolean>
  find(named: Named): Promise<KeyRow | undefined>
  /** Takes a key over from an abandoned run. @returns false when another run took it over first, or the abandoned run has answered */
  takeOver(row: NewKey, from: string): Promise<boolean>
  /** Stores the answer. @throws RowCountError when another run has taken the key over; the error undoes the transaction */
  answer(tx: Tx | Db, named: Named & { run: string }, answer: Answer): Promise<void>
  /** Gives back a key whose call had no effect. */
  release(named: Named & { run: string }): Promise<void>
  /** Removes keys older than `before` and stores that time for the audit. @returns the number of removed keys */
  removeOld(before: number, most: number): Promise<number>
}

const reserved = fixed(`insert into once_key (owner, key, call, hash, run, loose, at)
  values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`)
/** Hashes in hexadecimal: lists hold no bytes. */
const taken = fixed(`insert into once_key (owner, key, call, hash, run, loose, at, answer)
  select owner, key, call, decode(hash, 'hex'), run, loose, at, answer
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bool[], $7::bigint[], $8::text[])
    k (owner, key, call, hash, run, loose, at, answer)`)
/**
 * Locked in the order of the hashes, which is the same for every transaction. Keys with equal hashes wait for each other, which does no harm. Locks
 * with two numbers never collide with locks of one number, see `turns` in db.ts.
 */
const turned = fixed<unknown>(`select pg_advisory_xact_lock(1, turn)
  from (select distinct hashtext(name) as turn from unnest($1::text[]) name order by turn) ordered`)
const known = fixed<Named>(
  `select k.owner, k.key from unnest($1::text[], $2::text[]) n (owner, key),
    lateral (select owner, key from once_key where owner = n.owner and key = n.key limit 1) k`,
)
const lockNotAvailable = '55P03'
const answered = fixed(`update once_key set answer = $1, sealed = $2
  where owner = $3 and key = $4 and run = $5 and answer is null and sealed is null`)

const columns = ['call', 'hash', 'run', 'loose', 'answer', 'sealed', 'at'] as const

export function createKeyStore(database: Database): KeyStore {
  const { db } = database
  const hasNodes = database.engine === 'postgres'
  const valuesOf = ({ owner, key, call, hash, run, loose, at }: NewKey) => [owner, key, call, hash, run, loose, at]
  const turn = async (tx: Tx, named: readonly Named[]) => {
    if (hasNodes && named.length) await turned(tx, [named.map(({ owner, key }) => `${owner} ${key}`)]).execute()
  }
  return {
    turn,
    async waitForTurn(named) {
      if (!hasNodes) return true
      try {
        await database.transaction(async (tx) => {
          await sql`set local lock_timeout = '2s'`.execute(tx)
          await turn(tx, [named])
        })
        return true
      } catch (error) {
        if ((error as { code?: unknown }).code === lockNotAvailable) return false
        throw error
      }
    },
    taken: async (tx, named) => (named.length ? known(tx, [named.map(({ owner }) => owner), named.map(({ key }) => key)]).execute() : []),
    async takeAnswered(tx, rows) {
      if (!rows.length) return
      const columns = [
        ...[rows.map(({ owner }) => owner), rows.map(({ key }) => key), rows.map(({ call }) => call)],
        ...[rows.map(({ hash }) => hash.toString('hex')), rows.map(({ run }) => run), rows.map(({ loose }) => loose)],
        ...[rows.map(({ at }) => at), rows.map(({ answer }) => answer)],
      ]
      await write(rows.length, taken(tx, columns))
    },
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
