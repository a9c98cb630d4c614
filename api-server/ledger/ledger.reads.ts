import { type RawBuilder, sql } from 'kysely'
import { eventOfMargin } from '#api-server/ledger/ledger.migration.ts'
import type { PlatformAccount } from '#api-server/ledger/ledger.ts'
import { keyOf, linesMax, rowsToLock, stripes } from '#api-server/ledger/lines.rules.ts'
import type { AccountKind, EventKind } from '#contract/accounts.ts'
import { type Database, type Db, fixed, type Tables, type Tx } from '#server-kit/db/db.ts'
import { countMax, rowsIn } from '#server-kit/http/list-bounds.ts'

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
/** margin: held by a position. */
type StatementPart = 'available' | 'frozen' | 'margin'
interface StatementLine extends Pick<Tables['ledger_posting'], 'event_id' | 'line' | 'at' | 'amount' | 'balance'> {
  event_kind: EventKind
  source: string
  kind: AccountKind | null
  part: 'available' | 'frozen' | null
  currency: number
}
interface StatementRow {
  id: number
  time: number
  kind: EventKind
  account: AccountKind
  part: StatementPart
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
      kind,
      currency,
      available: of(uid, currency, 'available'),
      frozen: of(uid, currency, 'frozen'),
    }))
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
      const filters = (hasOwnCurrency: boolean) => {
        const all = [
          from !== undefined && sql`p.at >= ${from}`,
          to !== undefined && sql`p.at < ${to}`,
          currency !== undefined &&
            hasOwnCurrency &&
            sql`p.account_id in (select f.id from ledger_account f where f.uid = ${uid} and f.currency = ${currency})`,
          currency !== undefined && !hasOwnCurrency && sql`m.currency = ${currency}`,
          kind !== undefined && sql`exists (select from ledger_event f where f.id = p.event_id and f.kind = ${kind})`,
        ]
        return sql.join(
          all.filter((one) => one !== false).map((one) => sql`and ${one}`),
          sql` `,
        )
      }
      const ofAccount =
        account === undefined
          ? sql``
          : sql`and p.account_id in (select f.id from ledger_account f where f.uid = ${uid} and f.kind = ${account})`
      const own = sql`select p.event_id, p.line, p.account_id, p.amount, p.balance, p.at from ledger_posting p
        where p.uid = ${uid} ${ofAccount} ${filters(true)}`
      // The margin of a position is the customer's too; its account names the position, and its event the customer.
      const margin = sql`select p.event_id, p.line, p.account_id, p.amount, p.balance, p.at from ledger_event o
        join ledger_posting p on p.event_id = o.id join ledger_account m on m.id = p.account_id and m.position is not null
        where o.uid = ${uid} and ${eventOfMargin} ${filters(false)}`
      const hasMargin = account === undefined || account === 'lever'
      const first = (lines: RawBuilder<unknown>, most: number) =>
        sql`(select * from (${lines}) l order by at desc, event_id desc, line desc limit ${most})`
      const both = (most: number) => (hasMargin ? sql`${first(own, most)} union all ${first(margin, most)}` : first(own, most))
      const { rows } = await sql<StatementLine>`select l.event_id, l.line, l.at, e.kind as event_kind, e.source, a.kind, a.part, a.currency,
          l.amount, l.balance
        from (${both(Math.min(offset, countMax) + size)}) l
        join ledger_account a on a.id = l.account_id join ledger_event e on e.id = l.event_id
        order by l.at desc, l.event_id desc, l.line desc offset ${Math.min(offset, countMax)} limit ${size}`.execute(database.db)
      const isLast = rows.length < size && offset <= countMax && (rows.length > 0 || offset === 0)
      const total = isLast ? offset + rows.length : await rowsIn(database.db, both(countMax + 1))
      return {
        total,
        rows: rows.map((row) => ({
          id: rowId(row.event_id, row.line),
          time: row.at,
          kind: row.event_kind,
          source: row.source,
          account: row.kind ?? 'lever',
          part: row.part ?? 'margin',
          currency: row.currency,
          amount: row.amount,
          balance: row.balance,
        })),
      }
    },
  }
}
