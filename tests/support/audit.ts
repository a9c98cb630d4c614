import { expect } from 'vitest'
import { type AuditOptions, type AuditReport, auditLedger } from '#api-server/ledger/audit/audit.ts'
import type { Database } from '#server-kit/db/db.ts'

/** Fails unless every check of the ledger holds. For the end of tests that move money. @returns totals and hash */
export async function expectSoundMoney(database: Database, options?: AuditOptions): Promise<AuditReport> {
  const report = await auditLedger(database, options)
  expect(Object.fromEntries(report.checks.filter((one) => one.breaches.length).map((one) => [one.name, one.breaches]))).toEqual({})
  expect(report.ok).toBe(true)
  return report
}
