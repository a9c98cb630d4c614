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
