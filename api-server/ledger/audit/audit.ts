import { type RawBuilder, sql } from 'kysely'
import { type BackOfficeLog, backOfficeChecks, backOfficeLog } from '#api-server/ledger/audit/audit.back-office.ts'
import { type Check, everything, type PromiseName, type Range } from '#api-server/ledger/audit/audit.check.ts'
import { ledgerChecks } from '#api-server/ledger/audit/audit.ledger.ts'
import { priceChecks, pricesEnd } from '#api-server/ledger/audit/audit.prices.ts'
import { modules } from '#api-server/modules.ts'
import type { Database, Db, Tx } from '#server-kit/db/db.ts'

interface CheckResult {
  name: PromiseName
  says: string
  /** The first breaches; empty when the check holds. */
  breaches: string[]
}
interface CurrencySums {
  currency: number
  code: string
  /** Exact decimal text: money received from outside, money sent outside, and money held inside. */
  cameIn: string
  wentOut: string
  available: string
  frozen: string
  positions: string
  platform: string
}
export interface AuditOptions {
  /** Checks that decisions stand in the log of the back office. True in every installation; tests may decide without a back office. */
  decisions?: boolean
}
export interface AuditReport {
  ok: boolean
  events: number
  postings: number
  accounts: number
  currencies: CurrencySums[]
  /** Log of the back office; undefined for a database without a back office. */
  backOffice: BackOfficeLog | undefined
  /** Number and hash of the last price in the log; undefined without prices. */
  prices: { id: number; hash: string } | undefined
  checks: CheckResult[]
  /** SHA-256 over all accounts, their balances and the ends of their hash chains. Equal ledgers have equal hashes. */
  hash: string
}

const breachesShown = 20

/** Order of a check: I1 to I10, then the log of prices, then those of the back office. */
const placeOf = ({ name }: Pick<Check, 'name'>) => Number(name.slice(1)) + 100 * 'IPD'.indexOf(name[0]!)

async function sums(tx: Tx): Promise<CurrencySums[]> {
  const sumOf = (which: RawBuilder<unknown>) => sql`coalesce(sum(balance) filter (where ${which}), 0)`
  const { rows } = await sql<CurrencySums>`select a.currency, c.code,
      (-${sumOf(sql`key like 'external\_in#%'`)})::text as "cameIn", ${sumOf(sql`key like 'external\_out#%'`)}::text as "wentOut",
      ${sumOf(sql`part = 'available'`)}::text as available, ${sumOf(sql`part = 'frozen'`)}::text as frozen,
      ${sumOf(sql`a.position is not null`)}::text as positions,
      ${sumOf(sql`uid is null and a.position is null and key not like 'external\_%'`)}::text as platform
    from ledger_account a join currency c on c.id = a.currency group by a.currency, c.code order by a.currency`.execute(tx)
  return rows
}

async function counts(tx: Tx) {
  const { rows } = await sql<{ events: number; postings: number; accounts: number; hash: string }>`select
    (select count(*)::int from ledger_event) as events, (select count(*)::int from ledger_posting) as postings,
    (select count(*)::int from ledger_account) as accounts,
    (select encode(sha256(coalesce(string_agg(sha256(convert_to(concat_ws('|', key, currency, seq, balance), 'UTF8') || hash), ''::bytea
      order by key, currency), '')), 'hex') from ledger_account) as hash`.execute(tx)
  return rows[0]!
}

/** All checks, whether or not they apply to a database: those of the ledger, and those that the modules bring. */
export const allChecks: readonly Check[] = [
  ...ledgerChecks,
  ...priceChecks,
  ...backOfficeChecks,
  ...modules.flatMap(({ checks = [], terms = [] }) => [...checks, ...terms.flatMap((one) => one.checks)]),
]

/** Returns the checks that apply to a database. A database from before the back office has no log to check. */
export async function checksFor(db: Db | Tx, { decisions }: AuditOptions = {}): Promise<readonly Check[]> {
  const hasBackOffice = (await backOfficeLog(db)) !== undefined
  return allChecks.filter(({ name }) => (name === 'D1' ? hasBackOffice : name !== 'D2' || (hasBackOffice && decisions)))
}

/** Returns the first breaches of a check among the rows of a range. */
export async function breachesOf(db: Db | Tx, check: Check, range: Range = everything): Promise<string[]> {
  const { rows } = await sql<{ breach: string }>`select breach from (${check.breaches(range)}) found limit ${breachesShown}`.execute(db)
  return rows.map((row) => row.breach)
}

/** Runs the full audit in a transaction. */
export async function auditIn(tx: Tx, options: AuditOptions = {}): Promise<AuditReport> {
  const checks: CheckResult[] = []
  for (const check of await checksFor(tx, options))
    checks.push({ name: check.name, says: check.says, breaches: await breachesOf(tx, check) })
  checks.sort((a, b) => placeOf(a) - placeOf(b))
  const counted = await counts(tx)
  return {
    ok: checks.every((check) => !check.breaches.length),
    ...counted,
    currencies: await sums(tx),
    backOffice: await backOfficeLog(tx),
    prices: (await pricesEnd.execute(tx)).rows[0],
    checks,
  }
}

/** Runs the full audit on one snapshot of the database. Reads only; on PostgreSQL the server may keep running. */
export async function auditLedger({ db }: Database, options: AuditOptions = {}): Promise<AuditReport> {
  const builder = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return builder.execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    return auditIn(tx, options)
  })
}
