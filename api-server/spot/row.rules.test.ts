import { expect, test } from 'vitest'
import type { SpotMarket } from '#api-server/spot/market.rules.ts'
import { fillRow, orderRow } from '#api-server/spot/row.rules.ts'

const market: SpotMarket = {
  symbol: 'BTCUSDT',
  name: 'BTC/USDT',
  tick: '0.01',
  step: '0.00001',
  base: { id: 1, code: 'BTC', scale: 8 },
  quote: { id: 3, code: 'USDT', scale: 8 },
}
const order: Parameters<typeof orderRow>[1] = {
  id: 7,
  side: 'buy',
  kind: 'limit',
  time_in_force: 'gtc',
  price: '50000.000',
  quantity: '1.200',
  budget: null,
  worst: null,
  filled: '0.400',
  value: '19996.000',
  fee: '0.0004',
  status: 'partial',
  reason: '',
  cancelling: false,
  version: 3,
  moving: null,
  extra: '0',
  taker_rate: '0.0010',
  created_at: 1,
  changed_at: 2,
}

test.each<[string, Partial<typeof order>, object]>([
  [
    'partly filled',
    {},
    {
      price: '50000',
      worst_price: null,
      quantity: '1.2',
      average: '49990',
      progress: '0.3333',
      received: '0.3996',
      taker_rate: '0.001',
      frozen: '40000',
      frozen_code: 'USDT',
      list: 'doing',
      can_cancel: true,
      can_move: true,
    },
  ],
  ['being cancelled', { cancelling: true }, { can_cancel: false, can_move: false, list: 'doing' }],
  ['being moved', { moving: '50100', extra: '80' }, { price: '50000', frozen: '40080', can_cancel: true, can_move: false, list: 'doing' }],
  ['one that never rests', { time_in_force: 'ioc' }, { can_move: false }],
  ['cancelled', { status: 'cancelled', reason: 'customer' }, { frozen: '0', list: 'complete', can_cancel: false, progress: '0.3333' }],
  ['new', { status: 'new', filled: '0', value: '0', fee: '0' }, { average: null, progress: '0', received: '0', frozen: '60000' }],
  [
    'a budget that is spent',
    { kind: 'market', price: null, quantity: null, budget: '20000', worst: '50500.000', status: 'filled' },
    { progress: '1', budget: '20000', price: null, worst_price: '50500', can_move: false },
  ],
  ['sold', { side: 'sell', fee: '19.996' }, { received: '19976.004', fee_code: 'USDT', frozen: '0.8', frozen_code: 'BTC' }],
])('an order: %s', (_says, over, row) => expect(orderRow(market, { ...order, ...over })).toMatchObject(row))

const fill: Parameters<typeof fillRow>[1] = {
  id: 1,
  price: '49990',
  quantity: '0.4',
  value: '19996',
  buy_id: 7,
  buyer: 9,
  buyer_fee: '0.0004',
  sell_id: 3,
  seller_fee: '19.996',
  taker: 'buy',
  at: 5,
}
test.each<[string, Partial<typeof fill>, number, object]>([
  ['the taker who bought', {}, 9, { order_id: 7, type: 'buy', role: 'taker', fee: '0.0004', fee_code: 'BTC', simulated: false }],
  ['the maker who sold', {}, 1, { order_id: 3, type: 'sell', role: 'maker', fee: '19.996', fee_code: 'USDT', simulated: false }],
  ['from the house', { sell_id: null }, 9, { simulated: true }],
])('a fill: %s', (_says, over, uid, row) => expect(fillRow(market, { ...fill, ...over }, uid)).toMatchObject(row))
