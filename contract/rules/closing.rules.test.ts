import Big from 'big.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contractFee } from '#contract/functions/contract.fee.function.ts'
import { contractNotional } from '#contract/functions/contract.notional.function.ts'
import { contractResult } from '#contract/functions/contract.result.function.ts'
import { closingResult, type OpenLots, settlementOf } from '#contract/rules/closing.rules.ts'

const held = { side: 'long' as const, lots: '10', lot_size: '0.01', open_price: '50000', margin: '250', fee_rate: '0.0005', overnight: '0' }

test.each<[string, { lots: string; price: string; liquidated?: true }, object]>([
  [
    'a profit',
    { lots: '10', price: '51000' },
    { profit: '100', fee: '2.55', openFee: '2.5', overnight: '0', back: '347.45', insurance: '0', result: '94.95', lotsLeft: '0' },
  ],
  [
    'a part',
    { lots: '4', price: '51000' },
    { margin: '100', profit: '40', fee: '1.02', openFee: '1', back: '138.98', result: '37.98', lotsLeft: '6', marginLeft: '150' },
  ],
  ['a third, rounded down', { lots: '3.33', price: '50000' }, { margin: '83.25', marginLeft: '166.75' }],
  [
    'a liquidation',
    { lots: '10', price: '47738.69', liquidated: true },
    { profit: '-226.14', fee: '2.39', back: '0', insurance: '21.47', result: '-252.5' },
  ],
  ['all of it', { lots: '10', price: '47500' }, { profit: '-250', fee: '0', back: '0', insurance: '0' }],
  ['less than the fee', { lots: '10', price: '47510' }, { profit: '-249', fee: '1', back: '0', insurance: '0' }],
  [
    'more than all of it',
    { lots: '10', price: '40000', liquidated: true },
    { profit: '-1000', fee: '0', back: '0', insurance: '-750', result: '-252.5' },
  ],
])('a closing that leaves %s', (_says, at, paid) => expect(settlementOf(held, { ...at, scale: 2 })).toMatchObject(paid))

test('a closing pays what it takes, and never more than the margin, whatever the price', () => {
  const closing = fc.record({
    side: fc.constantFrom('long' as const, 'short' as const),
    whole: fc.integer({ min: 1, max: 1_000 }),
    part: fc.integer({ min: 1, max: 1_000 }),
    price: fc.integer({ min: 1, max: 20_000_000 }),
    margin: fc.integer({ min: 0, max: 1_000_000 }),
    liquidated: fc.boolean(),
  })
  const hundredth = (count: number) => new Big(count).div(100).toFixed()
  fc.assert(
    fc.property(closing, ({ side, whole, part, price, margin, liquidated }) => {
      const row = { ...held, side, lots: hundredth(whole), margin: hundredth(margin) }
      const paid = settlementOf(row, { lots: hundredth(Math.min(part, whole)), price: hundredth(price), liquidated, scale: 8 })
      expect(new Big(paid.margin).plus(paid.profit).toFixed()).toBe(new Big(paid.fee).plus(paid.back).plus(paid.insurance).toFixed())
      expect([paid.fee, paid.back, paid.margin, paid.marginLeft].every((amount) => new Big(amount).gte(0))).toBe(true)
      if (new Big(paid.insurance).lt(0)) expect([paid.fee, paid.back]).toEqual(['0', '0'])
      if (liquidated) expect(paid.back).toBe('0')
      else expect(new Big(paid.insurance).lte(0)).toBe(true)
    }),
  )
})

test.each([
  ['four of ten lots', '10', '4', { openFee: '1', overnight: '0.81' }],
  ['a third of one', '1', '0.33', { openFee: '0.08', overnight: '0.66' }],
  ['all', '10', '10', { openFee: '2.5', overnight: '2.03' }],
  ['the smallest part', '10', '0.01', { openFee: '0', overnight: '0' }],
])('%s take their part of the fee of opening and of nights', (_, open, lots, parts) => {
  expect(settlementOf({ ...held, lots: open, overnight: '2.03' }, { lots, price: '51000', scale: 2 })).toMatchObject(parts)
})

test('partial closings in any order take parts that add up to what was paid, and their results to the result of the position', () => {
  const history = fc.record({
    side: fc.constantFrom('long' as const, 'short' as const),
    parts: fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 8 }),
    prices: fc.array(fc.integer({ min: 1, max: 10_000_000 }), { minLength: 8, maxLength: 8 }),
    nights: fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 8, maxLength: 8 }),
    open: fc.integer({ min: 1, max: 10_000_000 }),
    scale: fc.constantFrom(2, 8),
  })
  const hundredth = (count: number) => new Big(count).div(100).toFixed()
  fc.assert(
    fc.property(history, ({ side, parts, prices, nights, open, scale }) => {
      const lots = hundredth(parts.reduce((all, one) => all + one))
      const price = hundredth(open)
      const paidFee = contractFee.run({
        notional: contractNotional.run({ lots, lot_size: held.lot_size, price }),
        rate: held.fee_rate,
        scale,
      })
      let row: OpenLots = { ...held, side, lots, open_price: price, margin: hundredth(open) }
      let [openFee, overnight, result] = [new Big(0), new Big(0), new Big(0)]
      let moved = new Big(0).minus(paidFee)
      let nightsPaid = new Big(0)
      for (const [at, part] of parts.entries()) {
        const fee = new Big(hundredth(nights[at]!)).lt(row.margin) ? hundredth(nights[at]!) : row.margin
        nightsPaid = nightsPaid.plus(fee)
        const margin = new Big(row.margin).minus(fee).toFixed()
        row = { ...row, margin, overnight: new Big(row.overnight).plus(fee).toFixed() }
        const closing = { lots: hundredth(part), price: hundredth(prices[at]!), scale }
        const paid = settlementOf(row, closing)
        const { back, overnight: night, openFee: share } = paid
        expect(closingResult({ back, margin: paid.margin, open_fee: share, overnight: night })).toBe(paid.result)
        const asked = { ...row, from: row.open_price, to: closing.price, lots: closing.lots, open: row.lots, scale }
        expect(contractResult.run(asked)).toBe(paid.result)
        expect([share, night].every((one) => new Big(one).gte(0))).toBe(true)
        openFee = openFee.plus(share)
        overnight = overnight.plus(night)
        result = result.plus(paid.result)
        moved = moved.minus(fee).plus(back).minus(paid.margin)
        row = { ...row, lots: paid.lotsLeft, margin: paid.marginLeft, overnight: new Big(row.overnight).minus(night).toFixed() }
      }
      expect([openFee, overnight, result].map((one) => one.toFixed())).toEqual([paidFee, nightsPaid.toFixed(), moved.toFixed()])
    }),
  )
})
