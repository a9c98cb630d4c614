import { createHash } from 'node:crypto'
import type { DeskAction } from '#contract/calls/desk.rows.ts'

/** What is written down of something that an operator did. */
export interface DeskNote {
  action: DeskAction
  /** What it was done to: recharge:12, customer:100001. */
  subject: string
  /** In words; what operators typed, or the value before and after. Never a name, number or address of a customer. */
  detail: string
}

/** One row as it is chained; times are ms UTC. */
export interface ChainedRow {
  id: number
  at: number
  operator_id: number
  operator: string
  action: string
  subject: string
  detail: string
  chain: string
}

/** What the first row is chained to. */
export const chainStart = '0'.repeat(64)

/** sha256 over the chain of the row before and what this row says. */
export function chainOf(before: string, { id, at, operator_id, operator, action, subject, detail }: Omit<ChainedRow, 'chain'>): string {
  return createHash('sha256')
    .update(`${before}\n${JSON.stringify([id, at, operator_id, operator, action, subject, detail])}`)
    .digest('hex')
}

/** @returns the id of the first row that is not what it was, or that follows on one that is gone; undefined when all are whole */
export function firstBroken(
  rows: readonly ChainedRow[],
  before: Pick<ChainedRow, 'id' | 'chain'> = { id: 0, chain: chainStart },
): number | undefined {
  let last = before
  for (const row of rows) {
    if (row.id !== last.id + 1 || row.chain !== chainOf(last.chain, row)) return row.id
    last = row
  }
  return undefined
}
