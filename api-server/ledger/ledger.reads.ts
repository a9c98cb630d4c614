import { type Expression, type SqlBool, sql } from 'kysely'
import type { PlatformAccount } from '#api-server/ledger/ledger.ts'
import { keyOf, linesMax, rowsToLock, stripes } from '#api-server/ledger/lines.rules.ts'
import type { AccountKind, EventKind } from '#contract/accounts.ts'
import { type Database, type Db, fixed, type Tables, type Tx } from '#server-kit/db/db.ts'
import { countMax } from '#server-kit/http/list-bounds.ts'

/** Balance of one currency in one account of a customer, as exact decimal text with 18 decimals. */
export interface Holding {
  kind: AccountKind
  /** Id of the currency. */
  currency: number
  available: string
  frozen: string
}

export interface StatementFilter {
  currency?: number | undefined
  account?: AccountKind | undefined
  kind?: EventKind | undefined
  /** ms UTC, inclusive. */
  from?: number | undefined
  /** ms UTC, exclusive. */
  to?: number | undefined
}
/** One line of a statement. `amount` and `balance` are decimal text with 18 decimals. */
interface StatementRow {
  id: number
  time: number
  kind: EventKind
  account: AccountKind
  part: 'available' | 'frozen'
  currency: number
  amount: string
  /** Balance of that account and part after the line. */
  balance: string
  source: string
}

export interface LedgerReads {
  /** Returns all balances of a customer, including those that are now zero. Currencies never used are absent. */
  balances(uid: number, tx?: Tx): Promise<Holding[]>
  /** Returns the balances of several customers, by uid. Customers without any balance are absent. */
  balancesOf(uids: readonly number[]): Promise<Map<number, Holding[]>>
  /** Returns one balance; zero when it was never used. With `tx` it reads in that transaction. */
  balance(uid: number, kind: AccountKind, currency: number, tx?: Tx): Promise<Holding>
  /** Like `balance`, with a row lock until the end of the transaction. Creates the accounts if they are missing. */
  locked(tx: Tx, uid: number, kind: AccountKind, currency: number): Promise<Holding>
  /** Like `locked`, of several customers at once, in the order in which the ledger locks. @returns a holding for each, in their order */
  lockedAll(tx: Tx, held: readonly { uid: number; currency: number }[], kind: AccountKind): Promise<Holding[]>
  /** Returns what an account of the platform has, by currency; those that have 0 are absent. */
  platform(account: PlatformAccount): Promise<{ currency: number; balance: string }[]>
  /**
   * Returns a page of the statement, newest line first.
   * @returns the rows, and their total number counted up to `countMax` + 1
   */
  statement(uid: number, filter: StatementFilter, page: { offset: number; size: number }): Promise<{ rows: StatementRow[]; total: number }>
}

/** Public id of a line: event number and line number in one. */
const rowId = (event: number, line: number) => event * (linesMax + 1) + line

const parts = ['available', 'frozen'] as const
const lockedRows = fixed<Pick<Tables['ledger_account'], 'uid' | 'currency' | 'part' | 'balance'>>(
  'select uid, currency, part, balance from ledger_accounts($1::text[], $2::int[])',
)

export function createLedgerReads(database: Database): LedgerReads {
  const columns = ['kind', 'currency', 'part', 'balance'] as const
  const read = (from: Db | Tx, uid: number) => from.selectFrom('ledger_account').where('uid', '=', uid)

  async function balances(uid: number, tx?: Tx): Promise<Holding[]> {
    const rows = await read(tx ?? database.db, uid)
      .select(columns)
      .execute()
    return heldIn(rows)
  }
  async function balancesOf(uids: readonly number[]): Promise<Map<number, Holding[]>> {
    if (!uids.length) return new Map()
    const rows = await database.db
      .selectFrom('ledger_account')
      .select([...columns, 'uid'])
      .where('uid', 'in', [...uids])
      .execute()
    return new Map([...new Set(rows.map(({ uid }) => uid!))].map((uid) => [uid, heldIn(rows.filter((row) => row.uid === uid))]))
  }

  function heldIn(rows: readonly Pick<Tables['ledger_account'], (typeof columns)[number]>[]): Holding[] {
    const held = new Map<string, Holding>()
    for (const { kind, currency, part, balance } of rows) {
      if (!kind || !part) continue
      const name = `${kind} ${currency}`
      const one = held.get(name) ?? { kind, currency, available: '0', frozen: '0' }
      one[part] = balance
      held.set(name, one)
    }
    return [...held.values()]
  }

  const keysOf = (uid: number, kind: AccountKind) => parts.map((part) => keyOf({ uid, kind, part }, 0))
  async function one(from: Db | Tx, uid: number, kind: AccountKind, currency: number): Promise<Holding> {
    const rows = await from
      .selectFrom('ledger_account')
      .select(['part', 'balance'])
      .where('key', 'in', keysOf(uid, kind))
      .where('currency', '=', currency)
      .execute()
    const of = (part: string) => rows.find((row) => row.part === part)?.balance ?? '0'
    return { kind, currency, available: of('available'), frozen: of('frozen') }
  }
  async function lockedAll(tx: Tx, held: readonly { uid: number; currency: number }[], kind: AccountKind): Promise<Holding[]> {
    const accounts = held.flatMap(({ uid, currency }) => parts.map((part) => ({ account: { uid, kind, part }, currency })))
    const locked = rowsToLock(accounts)
    const rows = await lockedRows(tx, [locked.map(({ key }) => key), locked.map(({ currency }) => currency)]).execute()
    const balances = new Map(rows.map(({ uid, currency, part, balance }) => [`${uid} ${currency} ${part}`, balance]))
    const of = (uid: number, currency: number, part: string) => balances.get(`${uid} ${currency} ${part}`) ?? '0'
    return held.map(({ uid, currency }) => ({
      ...{ kind, currency, available: of(uid, currency, 'available'), frozen: of(uid, currency, 'frozen') },
    }))
  }

  async function count(lines: Expression<{ line: number }>): Promise<number> {
    const { rows } = await sql<{ total: number }>`select count(*)::int as total from (${lines}) found`.execute(database.db)
    return rows[0]?.total ?? 0
  }

  return {
    balances,
    balancesOf,
    balance: (uid, kind, currency, tx) => one(tx ?? database.db, uid, kind, currency),
    locked: async (tx, uid, kind, currency) => (await lockedAll(tx, [{ uid, currency }], kind))[0]!,
    lockedAll,
    platform: (account) =>
      database.db
        .selectFrom('ledger_account')
        .select((of) => ['currency', of.fn.sum<string>('balance').as('balance')])
        .where(
          'key',
          'in',
          Array.from({ length: stripes }, (_, stripe) => keyOf({ platform: account }, stripe)),
        )
        .groupBy('currency')
        .having((of) => of.fn.sum('balance'), '<>', 0)
        .orderBy('currency')
        .execute(),
    async statement(uid, { currency, account, kind, from, to }, { offset, size }) {
      // The filters query the other tables separately, so that counting an unfiltered statement reads one index only.
      const found = database.db.selectFrom('ledger_posting as p').where(({ eb, and, exists, selectFrom }) => {
        const all: Expression<SqlBool>[] = [eb('p.uid', '=', uid)]
        if (from !== undefined) all.push(eb('p.at', '>=', from))
        if (to !== undefined) all.push(eb('p.at', '<', to))
        if (currency !== undefined || account !== undefined) {
          let accounts = selectFrom('ledger_account as f').select('f.id').where('f.uid', '=', uid)
          if (currency !== undefined) accounts = accounts.where('f.currency', '=', currency)
          if (account !== undefined) accounts = accounts.where('f.kind', '=', account)
          all.push(eb('p.account_id', 'in', accounts))
        }
        if (kind !== undefined) {
          const events = selectFrom('ledger_event as f').select('f.id').whereRef('f.id', '=', 'p.event_id').where('f.kind', '=', kind)
          all.push(exists(events))
        }
        return and(all)
      })
      const rows = await found
        .innerJoin('ledger_account as a', 'a.id', 'p.account_id')
        .innerJoin('ledger_event as e', 'e.id', 'p.event_id')
        .select([
          'p.event_id',
          'p.line',
          'p.at',
          'e.kind as event_kind',
          'e.source',
          'a.kind',
          'a.part',
          'a.currency',
          'p.amount',
          'p.balance',
        ])
        .orderBy('p.at', 'desc')
        .orderBy('p.event_id', 'desc')
        .orderBy('p.line', 'desc')
        .offset(Math.min(offset, countMax))
        .limit(size)
        .execute()
      const isLast = rows.length < size && offset <= countMax && (rows.length > 0 || offset === 0)
      const total = isLast ? offset + rows.length : await count(found.select('p.line').limit(countMax + 1))
      return {
        total,
        rows: rows.map((row) => ({
          ...{ id: rowId(row.event_id, row.line), time: row.at, kind: row.event_kind, source: row.source },
          ...{ account: row.kind!, part: row.part!, currency: row.currency, amount: row.amount, balance: row.balance },
        })),
      }
    },
  }
}
