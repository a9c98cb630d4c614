import { expect, test } from 'vitest'
import type { Listing, Quote } from '#contract/calls/market.calls.ts'
import { nextSort, type Sort, sameOrder, sortListings } from '#widgets/quote-list/quote-list.rules.ts'

const row = (symbol: string, last: string, change: string) => ({ symbol, name: symbol, quote24h: { last, change } }) as Listing
const rows = [row('ETH', '10', '-0.01'), row('BTC', '9.5', '0.02'), row('XAU', '100', '0.02'), row('ADA', '0.30', '-0.2')]
const names = (a: string, b: string) => a.localeCompare(b)
const nothing = () => undefined
const order = (sort: Sort, quoteOf: (symbol: string) => Quote | undefined = nothing) =>
  sortListings(rows, sort, quoteOf, names)
    .map((r) => r.symbol)
    .join(' ')

test.each<[string, Sort, string]>([
  ['as they came', undefined, 'ETH BTC XAU ADA'],
  ['names from A', { key: 'name', falling: false }, 'ADA BTC ETH XAU'],
  ['names from Z', { key: 'name', falling: true }, 'XAU ETH BTC ADA'],
  ['prices as numbers, not as text', { key: 'last', falling: true }, 'XAU ETH BTC ADA'],
  ['prices rising', { key: 'last', falling: false }, 'ADA BTC ETH XAU'],
  ['changes with sign, equal ones as they came', { key: 'change', falling: true }, 'BTC XAU ETH ADA'],
  ['changes rising, equal ones as they came', { key: 'change', falling: false }, 'ADA ETH BTC XAU'],
])('%s', (_, sort, symbols) => {
  expect(order(sort)).toBe(symbols)
})

test('the latest quote counts before the one of the row', () => {
  expect(order({ key: 'last', falling: true }, (symbol) => (symbol === 'ADA' ? ({ last: '1000', change: '0' } as Quote) : undefined))).toBe(
    'ADA XAU ETH BTC',
  )
})

test('more digits than a float holds still decide', () => {
  const close = [row('A', '1.0000000000000000001', '0'), row('B', '1.0000000000000000002', '0')]
  expect(sortListings(close, { key: 'last', falling: true }, nothing, names).map((r) => r.symbol)).toEqual(['B', 'A'])
})

test('the rows that were given stay as they are', () => {
  const before = [...rows]
  sortListings(rows, { key: 'last', falling: true }, nothing, names)
  expect(rows).toEqual(before)
})

test.each<[string, Sort, 'name' | 'last', Sort]>([
  ['first press on a figure', undefined, 'last', { key: 'last', falling: true }],
  ['second', { key: 'last', falling: true }, 'last', { key: 'last', falling: false }],
  ['third', { key: 'last', falling: false }, 'last', undefined],
  ['first press on names', undefined, 'name', { key: 'name', falling: false }],
  ['second on names', { key: 'name', falling: false }, 'name', { key: 'name', falling: true }],
  ['another column begins anew', { key: 'name', falling: true }, 'last', { key: 'last', falling: true }],
])('%s', (_, sort, key, next) => {
  expect(nextSort(sort, key)).toEqual(next)
})

test('an order is the same only row by row', () => {
  expect(sameOrder(rows, [...rows])).toBe(true)
  expect(sameOrder(rows, rows.slice(1))).toBe(false)
  expect(sameOrder(rows, [...rows].reverse())).toBe(false)
})
