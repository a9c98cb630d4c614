import { expect, test } from 'vitest'
import { type ChainedRow, chainOf, chainStart, firstBroken } from '#server-kit/db/audit-log.ts'

interface Row extends ChainedRow {
  text: string
}
const said = ({ id, text }: Omit<Row, 'chain'>) => JSON.stringify([id, text])
const sealed = (row: Omit<Row, 'chain'>, before: Row | undefined): Row => ({
  ...row,
  chain: chainOf(before?.chain ?? chainStart, said(row)),
})
function log(count: number): Row[] {
  const rows: Row[] = []
  for (let id = 1; id <= count; id++) rows.push(sealed({ id, text: `row ${id}` }, rows.at(-1)))
  return rows
}
const whole = log(5)
const changed = (at: number, row: Partial<Row>) => whole.map((one, index) => (index === at ? { ...one, ...row } : one))

test.for<[name: string, rows: Row[], broken: number | undefined]>([
  ['nothing yet', [], undefined],
  ['all rows as they were', whole, undefined],
  ['another text in the first row', changed(0, { text: 'x' }), 1],
  ['another text in the middle', changed(2, { text: 'x' }), 3],
  ['another text at the end', changed(4, { text: 'x' }), 5],
  ['a row made to fit itself', changed(2, sealed({ id: 3, text: 'x' }, whole[1])), 4],
  ['a row taken out', whole.filter(({ id }) => id !== 3), 4],
  ['the first taken out', whole.slice(1), 2],
  ['two rows swapped', [whole[0]!, whole[2]!, whole[1]!, ...whole.slice(3)], 3],
  ['a row made up at the end', [...whole, sealed({ id: 6, text: 'row 6' }, undefined)], 6],
])('a log with %s', ([, rows, broken]) => {
  expect(firstBroken(rows, said)).toBe(broken)
})

test('is followed from any row on', () => {
  expect(firstBroken(whole.slice(3), said, whole[2])).toBeUndefined()
  expect(firstBroken(whole.slice(3), said, whole[1])).toBe(4)
})
