import { expect, test } from 'vitest'
import { chainOf, chainStart, firstBroken } from '#config-server/publishing/audit.rules.ts'
import type { AuditRow } from '#language/publish/publishing.ts'

function log(count: number): AuditRow[] {
  const rows: AuditRow[] = []
  for (let id = 1; id <= count; id += 1) {
    const row = {
      id,
      at: 1_000 + id,
      actor: 'ann',
      action: 'draft.save',
      subject: 'draft 1',
      fromHash: null,
      toHash: 'a',
      reason: '',
      detail: { n: id },
    }
    rows.push({ ...row, chain: chainOf(rows.at(-1)?.chain ?? chainStart, row) })
  }
  return rows
}
const changed = (rows: AuditRow[], at: number, change: Partial<AuditRow>) => rows.map((row, i) => (i === at ? { ...row, ...change } : row))
/** Somebody who can write anywhere makes the row fit itself, but not those behind it. */
const resealed = (rows: AuditRow[], at: number, change: Partial<AuditRow>) => {
  const row = { ...rows[at]!, ...change }
  return changed(rows, at, { ...row, chain: chainOf(rows[at - 1]?.chain ?? chainStart, row) })
}

const whole = log(5)
const rows: [name: string, rows: AuditRow[], broken: number | undefined][] = [
  ['as it was written', whole, undefined],
  ['nothing yet', [], undefined],
  ['another reason', changed(whole, 2, { reason: 'other' }), 3],
  ['another actor', changed(whole, 0, { actor: 'bob' }), 1],
  ['another time', changed(whole, 4, { at: 1 }), 5],
  ['another detail', changed(whole, 1, { detail: { n: 9 } }), 2],
  ['a row made to fit itself', resealed(whole, 2, { reason: 'other' }), 4],
  ['a row taken out', whole.filter((row) => row.id !== 3), 4],
  ['the first taken out', whole.slice(1), 2],
  ['two rows swapped', [whole[0]!, whole[2]!, whole[1]!, ...whole.slice(3)], 3],
]
test.for(rows)('a log with %s', ([, all, broken]) => {
  expect(firstBroken(all)).toBe(broken)
})

test('is followed from any row on', () => {
  expect(firstBroken(whole.slice(2), whole[1])).toBeUndefined()
  expect(firstBroken(whole.slice(2), whole[0])).toBe(3)
})
