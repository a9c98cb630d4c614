import { sql } from 'kysely'
import { expect } from 'vitest'
import { priceChecks } from '#api-server/ledger/audit/audit.prices.ts'
import { type AuditOptions, type AuditReport, auditLedger, breachesOf } from '#api-server/ledger/audit/audit.ts'
import type { Database } from '#server-kit/db/db.ts'

/** Fails unless every check of the ledger holds. For the end of tests that move money. @returns totals and hash */
export async function expectSoundMoney(database: Database, options?: AuditOptions): Promise<AuditReport> {
  const report = await auditLedger(database, options)
  expect(Object.fromEntries(report.checks.filter((one) => one.breaches.length).map((one) => [one.name, one.breaches]))).toEqual({})
  expect(report.ok).toBe(true)
  return report
}

/** Breaches in the log of prices, its end and the ends of its days. For databases with the tables of the market alone. */
export async function priceBreaches({ db }: Pick<Database, 'db'>): Promise<string[]> {
  const found: string[] = []
  for (const check of priceChecks) found.push(...(await breachesOf(db, check)))
  return found
}

/**
 * Fails unless each call with a key that was acknowledged has its events in the ledger, one that was refused has none, and none has taken effect
 * twice: its events are of one transaction, and one alone where the call posts no more.
 */
export async function expectOneEffect(
  { db }: Pick<Database, 'db'>,
  calls: { done: Iterable<string>; refused: Iterable<string>; severalEvents(key: string): boolean },
): Promise<void> {
  const { rows } = await sql<{ key: string; events: number; transactions: number }>`select key, count(*)::int as events,
    count(distinct xmin::text)::int as transactions from ledger_event where key is not null group by key`.execute(db)
  const keys = new Set(rows.map(({ key }) => key))
  expect([...calls.done].filter((key) => !keys.has(key))).toEqual([])
  expect([...calls.refused].filter((key) => keys.has(key))).toEqual([])
  expect(rows.filter(({ key, events, transactions }) => transactions !== 1 || (events !== 1 && !calls.severalEvents(key)))).toEqual([])
}
