import { type RawBuilder, sql } from 'kysely'
import { type DeskLogFigures, decidedChecks, deskChecks, deskLog } from '#api-server/ledger/audit.desk.ts'
import { fundingChecks, fundingHolds } from '#api-server/ledger/audit.funding.ts'
import type { Database, Tx } from '#server-kit/db.ts'

/** What is frozen for somebody, and why: the sum of what open orders, withdrawals, bids and subscriptions hold. Rows uid, kind, currency, amount. */
export type Holds = RawBuilder<{ uid: number; kind: string; currency: number; amount: string }>

/** A promise about money: a query of its breaches, one text a row. */
export interface Check {
  /** Of 04-domain-rules: I1 to I10; D1 and D2 are the desk's. */
  readonly name: string
  readonly says: string
  readonly breaches: RawBuilder<{ breach: string }>
}
export interface CheckResult {
  name: string
  says: string
  /** The first of them; empty: it holds. */
  breaches: string[]
}
export interface CurrencyFigures {
  currency: number
  code: string
  /** Exact decimals: money that came from outside and went there, and what there is of it inside. */
  cameIn: string
  wentOut: string
  available: string
  frozen: string
  positions: string
  platform: string
}
export interface AuditOptions {
  /** Decisions must stand in the log of the desk: true of every installation; tests may decide without a desk. */
  decisions?: boolean
}
export interface AuditReport {
  ok: boolean
  events: number
  postings: number
  accounts: number
  currencies: CurrencyFigures[]
  /** Undefined for a database without a desk. */
  desk: DeskLogFigures | undefined
  checks: CheckResult[]
  /** SHA-256 over all accounts, their balances and the ends of their chains: equal for equal ledgers. */
  hash: string
}

const breachesShown = 20

/** A new business adds what it holds frozen, and what its own tables promise. */
const holds: readonly Holds[] = [fundingHolds]
const moreChecks: readonly Check[] = fundingChecks

/** The lines beside what the lines before them say they must be. */
const replayed = sql`select p.event_id, p.line, p.account_id, p.seq, a.key, a.currency, p.amount, p.balance, p.hash, p.uid, a.uid as owner,
    e.kind, e.source, e.uid as event_uid, e.at as event_at, p.at,
    lag(p.seq, 1, 0) over w as seq_before, lag(p.balance, 1, 0::numeric) over w as balance_before, lag(p.hash, 1, ''::bytea) over w as hash_before
  from ledger_posting p left join ledger_account a on a.id = p.account_id left join ledger_event e on e.id = p.event_id
  window w as (partition by p.account_id order by p.seq)`

const ledgerChecks: readonly Check[] = [
  {
    name: 'I1',
    says: 'lines sum to zero per event and per currency, and so do all balances',
    breaches: sql`select format('event %s, currency %s: %s', p.event_id, a.currency, sum(p.amount)) as breach from ledger_posting p
        join ledger_account a on a.id = p.account_id group by p.event_id, a.currency having sum(p.amount) <> 0
      union all select format('balances of currency %s: %s', currency, sum(balance)) from ledger_account group by currency having sum(balance) <> 0
      union all select format('event %s has %s lines', e.id, count(p.line)) from ledger_event e
        left join ledger_posting p on p.event_id = e.id group by e.id having count(p.line) < 2`,
  },
  {
    name: 'I2',
    says: 'no balance of a customer and no position is below zero, or not a number',
    breaches: sql`select format('%s, currency %s: %s', key, currency, balance) as breach from ledger_account
      where balance = 'NaN' or ((uid is not null or position is not null) and balance < 0)`,
  },
  {
    name: 'I3',
    says: 'what is frozen is what something open holds',
    breaches: sql`select format('%s %s, currency %s: frozen %s, held %s', uid, kind, currency, sum(frozen), sum(held)) as breach from (
        select uid, kind, currency, balance as frozen, 0::numeric as held from ledger_account where part = 'frozen'
        union all select uid, kind, currency, 0, amount::numeric from (${sql.join(
          holds.map((one) => sql`(${one})`),
          sql` union all `,
        )}) h) both_sides
      group by uid, kind, currency having sum(frozen) <> sum(held)`,
  },
  {
    name: 'I6',
    says: 'each event happened once for its source',
    breaches: sql`select format('%s %s: %s times', kind, source, count(*)) as breach from ledger_event group by kind, source having count(*) > 1`,
  },
  {
    name: 'I9',
    says: 'the lines, played again, give the same balances and the same chain of hashes',
    breaches: sql`select format('event %s line %s of %s', event_id, line, coalesce(key, 'no account')) as breach from (${replayed}) r
      where key is null or kind is null or seq <> seq_before + 1 or balance <> balance_before + amount or at <> event_at or uid is distinct from owner
        or hash <> sha256(hash_before || convert_to(concat_ws('|', key, currency, seq, event_id, kind, source, coalesce(event_uid, 0), at, line, amount, balance), 'UTF8'))
      union all select format('%s, currency %s: %s, its lines say %s', a.key, a.currency, a.balance, coalesce(l.balance, 0)) from ledger_account a
        left join lateral (select p.seq, p.balance, p.hash from ledger_posting p where p.account_id = a.id order by p.seq desc limit 1) l on true
        where a.seq <> coalesce(l.seq, 0) or a.balance <> coalesce(l.balance, 0) or a.hash <> coalesce(l.hash, '')`,
  },
]

/** I1 to I10, then the desk's. */
const placeOf = ({ name }: Pick<Check, 'name'>) => Number(name.slice(1)) + (name.startsWith('I') ? 0 : 100)

async function figures(tx: Tx): Promise<CurrencyFigures[]> {
  const sumOf = (which: RawBuilder<unknown>) => sql`coalesce(sum(balance) filter (where ${which}), 0)`
  const { rows } = await sql<CurrencyFigures>`select a.currency, c.code,
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

/** Looks at all the money as a transaction sees it. */
export async function auditIn(tx: Tx, options: AuditOptions = {}): Promise<AuditReport> {
  const checks: CheckResult[] = []
  const desk = await deskLog(tx)
  const ofDesk = desk ? [...deskChecks, ...(options.decisions ? decidedChecks : [])] : []
  for (const { name, says, breaches } of [...ledgerChecks, ...moreChecks, ...ofDesk]) {
    const { rows } = await sql<{ breach: string }>`select breach from (${breaches}) found limit ${breachesShown}`.execute(tx)
    checks.push({ name, says, breaches: rows.map((row) => row.breach) })
  }
  checks.sort((a, b) => placeOf(a) - placeOf(b))
  const counted = await counts(tx)
  return { ok: checks.every((check) => !check.breaches.length), ...counted, currencies: await figures(tx), desk, checks }
}

/** Looks at all the money at one moment. Reads only; on PostgreSQL the server may go on meanwhile. */
export async function auditLedger({ db }: Database, options: AuditOptions = {}): Promise<AuditReport> {
  const builder = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return builder.execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    return auditIn(tx, options)
  })
}
