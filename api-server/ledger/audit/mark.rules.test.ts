import { expect, test } from 'vitest'
import { type Mark, markLines } from '#api-server/ledger/audit/mark.rules.ts'

test('without a mark there is no line', () => {
  expect(markLines([])).toEqual([])
})

test('a mark shows its time, its reason and how it is removed', () => {
  const marks: Mark[] = [
    { name: 'I1 sums are zero', found: 3, at: Date.UTC(2026, 0, 2, 3, 4, 5), why: 'USDT: 1.5' },
    { name: 'I9 chains', found: 1, at: null, why: null },
  ]
  const text = markLines(marks).join('\n')
  expect(text).toContain('I1 sums are zero\n    found first 2026-01-02T03:04:05.000Z, 3 times in all\n    why: USDT: 1.5')
  expect(text).toContain('I9 chains\n    found first at a time that was not recorded, 1 time in all\n    why: not recorded')
  expect(text).toMatch(/let a server run: it removes a mark/)
})
