import { expect, test } from 'vitest'
import { freeze, type LedgerEvent, type Posting, release } from '#api-server/ledger/ledger.ts'
import { keyOf, linesOf } from '#api-server/ledger/lines.rules.ts'

const event = (postings: readonly Posting[]): LedgerEvent => ({ kind: 'transfer', source: 'transfer:1', uid: 7, at: 1, postings })
const fee = (amount: string, currency = 1): Posting => ({ account: { platform: 'fee' }, currency, amount })
const mine = (amount: string, currency = 1): Posting => ({ account: { uid: 7, kind: 'change', part: 'available' }, currency, amount })

test.for<[string, Posting[]]>([
  ['no lines', []],
  ['one line', [fee('1')]],
  ['a sum other than zero', [fee('1'), mine('-1.000000000000000001')]],
  ['a sum of zero only across two currencies', [fee('1', 1), mine('-1', 2)]],
  ['an amount of zero', [fee('0'), mine('-0.00')]],
  ['an exponent', [fee('1e3'), mine('-1000')]],
  ['not a number', [fee('NaN'), mine('NaN')]],
  ['a plus', [fee('+1'), mine('-1')]],
  ['a blank', [fee(' 1'), mine('-1')]],
  ['nothing', [fee(''), mine('-1')]],
  ['a leading zero', [fee('01'), mine('-1')]],
  ['more decimals than are stored', [fee('0.0000000000000000001'), mine('-0.0000000000000000001')]],
  ['more digits than are stored', [fee('100000000000000000000'), mine('-100000000000000000000')]],
  ['a hundred lines', Array.from({ length: 100 }, (_, at) => fee(at % 2 ? '1' : '-1'))],
])('refuses %s', ([, postings]) => {
  expect(() => linesOf([event(postings)], 0)).toThrow()
})

test('rows are locked in one order, whatever the order of the lines', () => {
  const lines = [fee('-1', 2), mine('1', 2), fee('-0.5'), mine('0.5')]
  const order = (postings: Posting[]) => linesOf([event(postings)], 3).map((line) => `${line.key} ${line.currency} ${line.amount}`)
  expect(order(lines)).toEqual(['user:7:change:available 1 0.5', 'user:7:change:available 2 1', 'fee#3 1 -0.5', 'fee#3 2 -1'])
  expect(order([...lines].reverse())).toEqual(order(lines))
})

test('lines of several events stand by account, and in the order of the events', () => {
  const lines = linesOf([event([fee('-1'), mine('1')]), event([mine('-2'), fee('2')])], 3)
  expect(lines.map(({ key, amount, event: at, line }) => [key, amount, at, line])).toEqual([
    ['user:7:change:available', '1', 1, 1],
    ['user:7:change:available', '-2', 2, 1],
    ['fee#3', '-1', 1, 2],
    ['fee#3', '2', 2, 2],
  ])
})

test.for([
  [{ uid: 7, kind: 'lever', part: 'frozen' }, 'user:7:lever:frozen'],
  [{ position: 12 }, 'position:12'],
  [{ platform: 'external_in' }, 'external_in#5'],
] as const)('%j is the row %s', ([account, key]) => {
  expect(keyOf(account, 5)).toBe(key)
})

test('a frozen amount is released in full', () => {
  const there = freeze(7, 'change', 1, '1.5')
  const back = release(7, 'change', 1, '1.5')
  expect(there.map(({ amount }) => amount)).toEqual(['-1.5', '1.5'])
  expect(linesOf([event([...there, ...back])], 0)).toHaveLength(4)
  expect(there.map(({ account }) => account)).toEqual([...back.map(({ account }) => account)].reverse())
})
