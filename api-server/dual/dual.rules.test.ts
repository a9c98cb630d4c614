import Big from 'big.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  agreedAt,
  type DualStock,
  type DualTerms,
  leftOf,
  mustBeOnSale,
  type ProductTerms,
  progressOf,
  resultOf,
  saleMachine,
  saleState,
  sharesFor,
  wrongTerm,
} from '#api-server/dual/dual.rules.ts'
import type { DualOutcome, DualType } from '#contract/calls/dual.calls.ts'
import { dualOutcome } from '#contract/functions/dual.outcome.function.ts'
import { dualPayout } from '#contract/functions/dual.payout.function.ts'
import { plain } from '#contract/money.ts'

const at = (text: string) => Date.parse(text)
const matures = at('2026-11-27T08:00:00Z')
const call: DualTerms = {
  type: 'call',
  share: '0.01',
  linked: '60000',
  yearly: '0.3',
  total: 1_000,
  limit_each: 100,
  starts_at: at('2026-11-18T00:00:00Z'),
  ends_at: at('2026-11-26T08:00:00Z'),
  matures_at: matures,
}
const put: DualTerms = { ...call, type: 'put', share: '600' }
const scales = { base: 8, quote: 8 }
const bought = at('2026-11-20T12:00:00Z')

test.each([
  ['call', call, '59999.99', 'base', '0.50287671'],
  ['call', call, '60000', 'quote', '30172.60273972'],
  ['call', call, '60000.01', 'quote', '30172.60273972'],
  ['put', put, '60000.01', 'quote', '30172.60273972'],
  ['put', put, '60000', 'base', '0.50287671'],
  ['put', put, '59999.99', 'base', '0.50287671'],
] as const)('50 shares of a %s for 7 days at 30 %%: settled at %s pays %s', (_type, terms, settle, outcome, paid) => {
  const agreed = agreedAt(terms, 50, scales, bought)
  expect(agreed).toEqual({
    amount: terms.type === 'call' ? '0.5' : '30000',
    days: 7,
    base_amount: '0.50287671',
    quote_amount: '30172.60273972',
  })
  const result = resultOf({ ...terms, due_at: matures }, { price: settle, time: matures - 60_000 })
  expect(result).toEqual({ status: 'success', outcome })
  expect(agreed[`${result.outcome}_amount`]).toBe(paid)
})

test.each([
  ['no price at all', undefined, 'fail'],
  ['a price 60 s before', { price: '1', time: matures - 60_000 }, 'success'],
  ['a price more than 60 s before', { price: '1', time: matures - 60_001 }, 'fail'],
] as const)('%s: %s', (_says, tick, status) => {
  expect(resultOf({ ...call, due_at: matures }, tick).status).toBe(status)
  // Without a price the deposited coin is paid back.
  if (status === 'fail') {
    expect(resultOf({ ...call, due_at: matures }, tick).outcome).toBe('base')
    expect(resultOf({ ...put, due_at: matures }, tick).outcome).toBe('quote')
  }
})
test('a price after the maturity settles nothing', () => {
  expect(() => resultOf({ ...call, due_at: matures }, { price: '1', time: matures + 1 })).toThrow('never settled')
})

const stock: DualStock = { ...call, sold: 0, sale: 'open' }
test.each([
  ['before the start', stock, call.starts_at - 1, 'soon'],
  ['at the start', stock, call.starts_at, 'on_sale'],
  ['in the last instant', stock, call.ends_at - 1, 'on_sale'],
  ['at the end', stock, call.ends_at, 'ended'],
  ['ended by an operator', { ...stock, sale: 'ended' }, call.starts_at, 'ended'],
  ['paused', { ...stock, sale: 'paused' }, call.starts_at, 'paused'],
  ['paused, before the start', { ...stock, sale: 'paused' }, call.starts_at - 1, 'soon'],
  ['without a share left', { ...stock, sold: 1_000 }, call.starts_at, 'sold_out'],
  ['with fewer shares than were sold', { ...stock, sold: 1_001 }, call.starts_at, 'sold_out'],
] as const)('%s', (_says, row, now, state) => {
  expect(saleState(row as DualStock, now)).toBe(state)
  const refused = () => mustBeOnSale(row as DualStock, now)
  if (state === 'on_sale') expect(refused).not.toThrow()
  else expect(refused).toThrow(state === 'sold_out' ? 'sold_out' : 'sale_closed')
})

const terms: ProductTerms = { ...call, market: 'BTCUSDT', risk: 3 }
const now = call.starts_at
test.each<[says: string, over: Partial<ProductTerms>, wrong: string | undefined]>([
  ['as they are', {}, undefined],
  ['a maturity at 07:59 UTC', { matures_at: matures - 60_000 }, 'matures_at'],
  ['a maturity at 00:00 UTC', { matures_at: at('2026-11-28T00:00:00Z') }, 'matures_at'],
  ['a maturity a day later', { matures_at: at('2026-11-28T08:00:00Z') }, undefined],
  ['a sale that ends 24 h before the maturity', { ends_at: matures - 86_400_000 }, undefined],
  ['a sale that ends a millisecond later', { ends_at: matures - 86_400_000 + 1 }, 'ends_at'],
  ['a sale that ends as it begins', { ends_at: call.starts_at }, 'ends_at'],
  ['a sale that is over', { starts_at: now - 2, ends_at: now }, 'ends_at'],
  ['a sale with a last millisecond', { starts_at: now - 2, ends_at: now + 1 }, undefined],
  ['as many for one customer as there are', { limit_each: 1_000 }, undefined],
  ['more for one customer than there are', { limit_each: 1_001 }, 'limit_each'],
])('terms of a new product: %s', (_says, over, wrong) => {
  expect(wrongTerm({ ...terms, ...over }, now)).toBe(wrong)
})
test('only an open sale sells, and an ended one stays ended', () => {
  expect(saleMachine.moves.map((move) => move.join(' '))).toEqual([
    ...['open open', 'open paused', 'open ended', 'paused paused', 'paused open', 'paused ended'],
  ])
  expect([saleMachine.next('paused', 'sell'), saleMachine.next('paused', 'pause'), saleMachine.isEnd('ended')]).toEqual([
    ...[undefined, undefined, true],
  ])
})

test.each([
  [0, 3, 3, '0'],
  [1, 3, 2, '0.3333'],
  [3, 3, 0, '1'],
  [4, 3, 0, '1'],
])('%i of %i sold', (sold, total, left, progress) => {
  expect(leftOf({ sold, total })).toBe(left)
  expect(progressOf({ sold, total })).toBe(progress)
})

test.each([
  ['0.0299999', '0.01', 2],
  ['0.03', '0.01', 3],
  ['0', '0.01', 0],
])('%s buys shares of %s: %i', (available, share, count) => {
  expect(sharesFor(available, share)).toBe(count)
})

const decimal = (most: number, places: number) => fc.integer({ min: 1, max: most }).map((n) => plain(new Big(n).div(10 ** places)))
test('what is paid back is the exact amount, cut at the decimals of its coin', () => {
  fc.assert(
    fc.property(
      fc.constantFrom<DualType>('call', 'put'),
      fc.constantFrom<DualOutcome>('base', 'quote'),
      decimal(1_000_000_000, 6),
      decimal(1_000_000_000, 4),
      decimal(40_000, 4),
      fc.integer({ min: 1, max: 366 }),
      fc.integer({ min: 0, max: 8 }),
      (type, outcome, amount, linked, yearly, days, scale) => {
        const paid = BigInt(new Big(dualPayout.run({ type, outcome, amount, linked, yearly, days, scale })).times(10 ** scale).toFixed(0))
        // Whole numbers only: the amount in millionths, the price and the yield in ten thousandths.
        const whole = (text: string, places: number) => BigInt(new Big(text).times(10 ** places).toFixed(0))
        const [a, l, factor] = [whole(amount, 6), whole(linked, 4), 3_650_000n + whole(yearly, 4) * BigInt(days)]
        const isKept = (type === 'call') === (outcome === 'base')
        const [over, under] = isKept
          ? [a * factor, 10n ** 6n * 3_650_000n]
          : type === 'call'
            ? [a * factor * l, 10n ** 10n * 3_650_000n]
            : [a * factor * 10n ** 4n, 10n ** 6n * 3_650_000n * l]
        expect(paid).toBe((over * 10n ** BigInt(scale)) / under)
      },
    ),
  )
})

test('above the linked price both directions pay the quote coin, below it the base coin, and at it each its own', () => {
  fc.assert(
    fc.property(decimal(1_000_000, 2), decimal(1_000_000, 2), (linked, settle) => {
      const over = new Big(settle).cmp(linked)
      const outcomes = (['call', 'put'] as const).map((type) => dualOutcome.run({ type, linked, settle }))
      expect(outcomes).toEqual(over > 0 ? ['quote', 'quote'] : over < 0 ? ['base', 'base'] : ['quote', 'base'])
    }),
  )
})

test.each(['', 'CALL', 'base'])('a dual investment is a call or a put, not %j', (type) => {
  expect(() => dualOutcome.run({ type, linked: '1', settle: '1' })).toThrow(RangeError)
  expect(() => dualPayout.run({ type, outcome: 'base', amount: '1', linked: '1', yearly: '0', days: 1, scale: 2 })).toThrow(RangeError)
})
