import { createHash } from 'node:crypto'
import { canonical } from '#language/publish/canonical.ts'
import type { AuditRow } from '#language/publish/publishing.ts'

/** What the first row is chained to. */
export const chainStart = '0'.repeat(64)

/** sha256 over the chain of the row before and what this row says. */
export function chainOf(before: string, row: Omit<AuditRow, 'chain'>): string {
  const { id, at, actor, action, subject, fromHash, toHash, reason, detail } = row
  return createHash('sha256')
    .update(`${before}\n${canonical({ id, at, actor, action, subject, fromHash, toHash, reason, detail })}`)
    .digest('hex')
}

/** @returns the id of the first row that is not what it was, or that follows on one that is gone; undefined when all are whole */
export function firstBroken(
  rows: readonly AuditRow[],
  before: { id: number; chain: string } = { id: 0, chain: chainStart },
): number | undefined {
  let { id, chain } = before
  for (const row of rows) {
    if (row.id !== id + 1 || row.chain !== chainOf(chain, row)) return row.id
    id = row.id
    chain = row.chain
  }
  return undefined
}
