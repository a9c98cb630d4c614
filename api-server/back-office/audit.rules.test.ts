import { expect, test } from 'vitest'
import { type ChainedRow, chainOf, chainStart, firstBroken } from '#api-server/back-office/audit.rules.ts'

function rows(count: number): ChainedRow[] {
  const made: ChainedRow[] = []
  for (let id = 1; id <= count; id++) {
    const row = { id, at: 1_000 + id, operator_id: 7, operator: 'ann', action: 'recharge.approve', subject: `recharge:${id}`, detail: '' }
    made.push({ ...row, chain: chainOf(made.at(-1)?.chain ?? chainStart, row) })
  }
  return made
}
const changed = (at: number, change: Partial<ChainedRow>) => rows(5).map((row, index) => (index === at ? { ...row, ...change } : row))

test.each<[name: string, rows: ChainedRow[], broken: number | undefined]>([
  ['no rows', [], undefined],
  ['five whole rows', rows(5), undefined],
  ['another detail', changed(2, { detail: 'x' }), 3],
  ['another time', changed(0, { at: 1 }), 1],
  ['another operator of the same name', changed(1, { operator_id: 8 }), 2],
  ['another name', changed(1, { operator: 'bob' }), 2],
  ['another subject', changed(4, { subject: 'recharge:6' }), 5],
  ['another action', changed(4, { action: 'recharge.reject' }), 5],
  ['words that moved from one member to the next', changed(1, { action: 'recharge.approverecharge', subject: ':2' }), 2],
  ['a row that is gone', rows(5).filter(({ id }) => id !== 3), 4],
  ['the first row gone', rows(5).slice(1), 2],
  ['a row that was made up at the end', [...rows(5), { ...rows(6)[5]!, chain: chainStart }], 6],
])('%s', (_name, list, broken) => {
  expect(firstBroken(list)).toBe(broken)
})

test('pages follow on each other', () => {
  const all = rows(6)
  expect(firstBroken(all.slice(3), all[2])).toBeUndefined()
  expect(firstBroken(all.slice(3), all[1])).toBe(4)
})
