import { describe, expect, test } from 'vitest'
import {
  averageExit,
  costOf,
  fillCost,
  isLiquidated,
  type LeverAction,
  limitFill,
  liquidationOf,
  listOfState,
  movedRefusal,
  nightAfter,
  overnightFee,
  positionMachine,
  profitDays,
  readLots,
  readPart,
  readPrice,
  statesOf,
  stopRefusal,
} from '#api-server/lever/lever.rules.ts'
import { leverLists, leverStates } from '#contract/calls/lever.rows.ts'

const terms = { lots_min: '0.01', lots_max: '10000' }
const held = {
  side: 'long' as const,
  lots: '10',
  lot_size: '0.01',
  open_price: '50000',
  margin: '250',
  multiple: 20,
  fee_rate: '0.0005',
  maintenance_rate: '0.005',
  overnight_rate: '0.0002',
}

const actions: LeverAction[] = ['change', 'fill', 'cancel', 'fire', 'settle', 'finish']
const ways = [
  'entrust change entrust',
  'entrust fill open',
  'entrust cancel cancelled',
  'open change open',
  'open fire closing',
  'open finish closed',
  'closing settle closed',
]
test.each(leverStates.flatMap((state) => actions.map((action) => [state, action] as const)))('from %s by %s', (state, action) => {
  const way = ways.find((one) => one.startsWith(`${state} ${action} `))
  expect(positionMachine.next(state, action)).toBe(way?.split(' ')[2])
})
test('each state stands in one list', () => {
  expect(leverLists.flatMap(statesOf).sort()).toEqual([...leverStates].sort())
  expect(leverStates.map(listOfState)).toEqual(['entrust', 'position', 'position', 'history', 'cancelled'])
})
test('a state asks for itself', () => {
  expect(leverStates.map(statesOf)).toEqual(leverStates.map((state) => [state]))
})

test.each([
  ['10', '10'],
  ['0.01', '0.01'],
  ['1.10', '1.1'],
  ['0', 'size_wrong'],
  ['1.001', 'size_wrong'],
  ['+1', 'size_wrong'],
  ['', 'size_wrong'],
  ['10000.01', 'amount_too_large'],
])('lots of %j: %s', (text, found) => {
  const read = readLots(text, terms)
  expect(typeof read === 'string' ? read : read.problem).toBe(found)
})
test('fewer lots than an order takes', () =>
  expect(readLots('0.5', { ...terms, lots_min: '1' })).toEqual({ problem: 'amount_too_small', field: 'lots' }))
test.each([
  [undefined, '10'],
  ['10.00', '10'],
  ['0.01', '0.01'],
  ['10.01', undefined],
  ['0', undefined],
])('a part of ten lots: %j', (text, found) => expect(readPart(text, '10')).toEqual(found ?? { problem: 'size_wrong', field: 'lots' }))
test.each([
  ['50000', '0.01', true],
  ['50000.01', '0.01', true],
  ['50000.001', '0.01', false],
  ['38005', '5', true],
  ['38006', '5', false],
  ['0', '0.01', false],
  ['1000000000001', '0.01', false],
  ['1e3', '0.01', false],
])('a price of %s on steps of %s', (text, tick, right) => expect(typeof readPrice(text, 'price', tick) === 'string').toBe(right))

test.each([
  ['long', '51000', '49000', undefined],
  ['long', '50000', null, 'target_profit_price'],
  ['long', null, '50000', 'stop_loss_price'],
  ['long', null, null, undefined],
  ['short', '49000', '51000', undefined],
  ['short', '50001', null, 'target_profit_price'],
  ['short', null, '49999', 'stop_loss_price'],
] as const)('%s with take profit %s and stop loss %s', (side, tp, sl, field) => {
  expect(stopRefusal(side, '50000', tp, sl)?.field).toBe(field)
})
test.each([
  ['long', '50000', '49950.1', undefined, undefined],
  ['long', '50000', '49950', undefined, 'price'],
  ['short', '50000', '50050.1', undefined, 'price'],
  ['long', '50000', undefined, '50000', undefined],
  ['long', '50000.01', undefined, '50000', 'worst_price'],
  ['short', '49999.99', undefined, '50000', 'worst_price'],
  ['short', '50000.01', undefined, '50000', undefined],
] as const)('%s at %s, shown %s, worst %s', (side, fill, shown, worst, field) => {
  expect(movedRefusal(side, fill, { shown, worst, tolerance: '0.001' })?.field).toBe(field)
})

test('an order costs margin and fee', () => expect(costOf(held, '50000', 2)).toEqual({ margin: '250', fee: '2.5', total: '252.5' }))
test.each([
  ['long', '100', '99', '99'],
  ['long', '100', '101', '100'],
  ['short', '100', '101', '101'],
  ['short', '100', '99', '100'],
] as const)('%s, limit %s, market %s: %s', (side, limit, market, price) => expect(limitFill(side, limit, market)).toBe(price))
test('the liquidation price, its edge, and none', () => {
  expect(liquidationOf(held, 2)).toBe('47738.69')
  expect(liquidationOf({ ...held, side: 'short' }, 2)).toBe('52238.81')
  expect(liquidationOf({ ...held, margin: '6000' }, 2)).toBeNull()
  expect(['47738.7', '47738.69'].map((mark) => isLiquidated('long', mark, '47738.69'))).toEqual([false, true])
  expect(isLiquidated('short', '52238.81', '52238.81')).toBe(true)
  expect(isLiquidated('long', '0.01', null)).toBe(false)
})
test('an order that is filled pays from what it holds, at the market also from what is available', () => {
  const at = { price: '51000', mark: '51000', available: '0', scale: 2, priceScale: 2 }
  const order = { ...held, side: 'short' as const, held: '252.5' }
  expect(fillCost({ ...order, type: 'limit' }, { ...at, price: '50000', mark: '50000' })).toEqual({ margin: '250', fee: '2.5' })
  expect(fillCost({ ...order, type: 'limit' }, at)).toEqual({ margin: '249.95', fee: '2.55' })
  expect(fillCost({ ...order, type: 'market' }, at)).toBeUndefined()
  expect(fillCost({ ...order, type: 'market' }, { ...at, available: '5.05' })).toEqual({ margin: '255', fee: '2.55' })
  expect(fillCost({ ...order, type: 'limit' }, { ...at, price: '9000000', mark: '9000000' })).toBeUndefined()
  expect(fillCost({ ...order, type: 'limit' }, { ...at, price: '500000', mark: '500000' })).toBeUndefined()
})

test.each([
  ['nothing yet', '0', '0', null],
  ['one closing', '510000', '10', '51000'],
  ['closings at two prices, by their lots', '508000', '10', '50800'],
  ['rounded to the decimals of the price', '151000.01', '3', '50333.34'],
])('the average exit of %s', (_, worth, lots, price) => expect(averageExit(worth, lots, 2)).toBe(price))

test('nights begin at 00:00 UTC', () => {
  const midnight = Date.UTC(2026, 10, 21)
  expect([midnight - 1, midnight, midnight + 1].map((at) => nightAfter(at) - midnight)).toEqual([0, 86_400_000, 86_400_000])
  expect(overnightFee(held, '50500', 2)).toBe('1.01')
  expect(overnightFee({ ...held, margin: '0.5' }, '50500', 2)).toBe('0.5')
})

describe('the calendar of profits', () => {
  const [first, second, third] = [Date.UTC(2026, 10, 3), Date.UTC(2026, 10, 4), Date.UTC(2026, 10, 30)]
  const contracts = [
    { day: first, profit: '100.10', fee: '2.5', overnight: '0', result: '97.60', closes: 2 },
    { day: third, profit: '0', fee: '0', overnight: '0.3', result: '-0.3', closes: 0 },
  ]
  const options = [
    { day: first, profit: '-100.00000001', settled: 1 },
    { day: second, profit: '30', settled: 3 },
  ]
  const none = { profit: '0', fee: '0', overnight: '0', result: '0', closes: 0, options: 0 }

  test('a day has the results of both, and the sums are those of all days', () => {
    expect(profitDays(contracts, options)).toEqual({
      profit: '30.09999999',
      fee: '2.5',
      overnight: '0.3',
      result: '27.29999999',
      list: [
        { date: '2026-11-03', profit: '0.09999999', fee: '2.5', overnight: '0', result: '-2.40000001', closes: 2, options: 1 },
        { ...none, date: '2026-11-04', profit: '30', result: '30', options: 3 },
        { ...none, date: '2026-11-30', overnight: '0.3', result: '-0.3' },
      ],
    })
  })

  test.each([
    ['contracts alone', contracts, [], '97.3', ['2026-11-03', '2026-11-30']],
    ['options alone', [], options, '-70.00000001', ['2026-11-03', '2026-11-04']],
    ['nothing', [], [], '0', []],
  ] as const)('%s', (_, of, settled, result, dates) => {
    const found = profitDays(of, settled)
    expect([found.result, found.list.map(({ date }) => date)]).toEqual([result, dates])
  })
})
