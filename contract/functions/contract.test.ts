import Big from 'big.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contractFee } from '#contract/functions/contract.fee.function.ts'
import { contractLiquidationPrice } from '#contract/functions/contract.liquidationPrice.function.ts'
import { contractMargin } from '#contract/functions/contract.margin.function.ts'
import { contractMostLots } from '#contract/functions/contract.mostLots.function.ts'
import { contractNotional } from '#contract/functions/contract.notional.function.ts'
import { contractProfit } from '#contract/functions/contract.profit.function.ts'
import { plain } from '#contract/money.ts'

const cents = (min: number, max: number) => fc.integer({ min, max }).map((count) => plain(new Big(count).div(100)))

test('the most lots can be paid, and one step and two cents more cannot', () => {
  const orders = fc.record({
    available: cents(0, 10_000_000),
    price: cents(1, 10_000_000),
    lot_size: fc.constantFrom('0.0001', '0.01', '1', '10'),
    multiple: fc.integer({ min: 1, max: 125 }),
    fee_rate: fc.constantFrom('0', '0.0005', '0.01'),
    step: fc.constantFrom('0.01', '0.1', '1'),
    scale: fc.constantFrom(2, 8),
  })
  fc.assert(
    fc.property(orders, (order) => {
      const { available, price, lot_size, multiple, fee_rate, step, scale } = order
      const cost = (lots: Big) => {
        const notional = contractNotional.run({ lots: plain(lots), lot_size, price })
        return new Big(contractMargin.run({ notional, multiple, scale })).plus(contractFee.run({ notional, rate: fee_rate, scale }))
      }
      const most = new Big(contractMostLots.run(order))
      expect(cost(most).lte(available)).toBe(true)
      expect(cost(most.plus(step)).plus(`2e-${scale}`).gt(available)).toBe(true)
    }),
  )
})

test('a balance opens the largest number of steps that it can pay, also where the margin share is a periodic decimal', () => {
  const order = { price: '0.01', lot_size: '0.0001', multiple: 15, fee_rate: '0.01', step: '0.01', scale: 2 }
  expect(contractMostLots.run({ ...order, available: '30615.3' })).toBe('399330000000')
})

test('at the liquidation price, margin plus profit of a position equal its maintenance margin', () => {
  const positions = fc.record({
    side: fc.constantFrom('long', 'short'),
    price: cents(100, 10_000_000),
    lots: fc.integer({ min: 1, max: 100 }).map(String),
    multiple: fc.integer({ min: 2, max: 100 }),
  })
  fc.assert(
    fc.property(positions, ({ side, price, lots, multiple }) => {
      const [lot_size, maintenance_rate, scale] = ['1', '0.005', 12]
      const margin = contractMargin.run({ notional: contractNotional.run({ lots, lot_size, price }), multiple, scale })
      const liquidated = contractLiquidationPrice.run({ side, price, lots, lot_size, margin, maintenance_rate, scale })
      const equity = new Big(contractProfit.run({ side, from: price, to: liquidated, lots, lot_size, scale })).plus(margin)
      const maintenance = new Big(contractNotional.run({ lots, lot_size, price: liquidated })).times(maintenance_rate)
      expect(equity.minus(maintenance).abs().lt('0.000001')).toBe(true)
    }),
  )
})

test.each(['buy', '', 'LONG'])('a position is long or short, not %j', (side) => {
  const position = { side, from: '1', to: '2', lots: '1', lot_size: '1', scale: 2 }
  expect(() => contractProfit.run(position)).toThrow(RangeError)
})
