import Big from 'big.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { optionBreakEvenRate } from '#contract/functions/option.breakEvenRate.function.ts'
import { optionOutcome } from '#contract/functions/option.outcome.function.ts'
import { optionPayout } from '#contract/functions/option.payout.function.ts'
import { plain } from '#contract/money.ts'

const hundredths = (min: number, max: number) => fc.integer({ min, max }).map((count) => plain(new Big(count).div(100)))

test('a payout is the stake and its earning, and never more', () => {
  fc.assert(
    fc.property(hundredths(1, 10_000_000), hundredths(0, 200), fc.integer({ min: 0, max: 8 }), (stake, rate, scale) => {
      const earned = new Big(optionPayout.run({ stake, rate, scale })).minus(stake)
      const exact = new Big(stake).times(rate)
      expect(earned.lte(exact) && exact.minus(earned).lt(`1e-${scale}`)).toBe(true)
    }),
  )
})

test('at the break-even rate a customer loses nothing, and a hundredth of a percent below it something', () => {
  fc.assert(
    fc.property(hundredths(0, 1_000), (rate) => {
      const even = new Big(optionBreakEvenRate.run({ rate }))
      const kept = (won: Big) => won.times(new Big(rate).plus(1))
      expect(kept(even).gte(1)).toBe(true)
      expect(kept(even.minus('0.0001')).lt(1)).toBe(true)
    }),
  )
})

test('where up wins, down loses', () => {
  const other = { won: 'lost', lost: 'won', draw: 'draw' }
  fc.assert(
    fc.property(hundredths(1, 10_000), hundredths(1, 10_000), (open, settle) => {
      const up = optionOutcome.run({ type: 'up', open, settle })
      expect(optionOutcome.run({ type: 'down', open, settle })).toBe(other[up as keyof typeof other])
      expect(up === 'draw').toBe(new Big(open).eq(settle))
    }),
  )
})

test.each(['long', '', 'UP'])('an option is up or down, not %j', (type) => {
  expect(() => optionOutcome.run({ type, open: '1', settle: '2' })).toThrow(RangeError)
})
