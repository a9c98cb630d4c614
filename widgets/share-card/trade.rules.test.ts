import { expect, test } from 'vitest'
import type { ContractTrade, Trade } from '#widgets/share-card/share-card.props.ts'
import { amountsOf, fileOf, type LastPrice } from '#widgets/share-card/trade.rules.ts'

const open = {
  list: 'position',
  side: 'long',
  multiple: 20,
  lots: '10',
  lot_size: '0.01',
  margin: '250',
  maintenance_rate: '0.005',
  open_price: '50000',
  fee_rate: '0.0005',
  spread: '0',
  overnight_open: '0',
  exit_price: null,
  result: '-2.5',
} as ContractTrade
const closed = { ...open, list: 'history', margin: '0', exit_price: '51000', result: '94.95' } as ContractTrade

const option = { type: 'up', seconds: 60, number: '100', open_price: '50000', settle_price: '50010', profit: '30' } as Trade

const live = { mark: '51000', gain: '0.3798', result: '94.95' }
test.each<[string, Trade, LastPrice | undefined, ReturnType<typeof amountsOf>]>([
  ['an open position', open, live, { gain: '0.3798', result: '94.95', entry: '50000', exit: '51000', isClosed: false }],
  ['without a price yet', open, undefined, undefined],
  ['a closed one, after its fees', closed, live, { gain: '0.3798', result: '94.95', entry: '50000', exit: '51000', isClosed: true }],
  ['a loss', { ...closed, result: '-250' }, undefined, { gain: '-1', result: '-250', entry: '50000', exit: '51000', isClosed: true }],
  ['a waiting order', { ...open, list: 'entrust', open_price: null }, live, undefined],
  ['a cancelled order', { ...open, list: 'cancelled', open_price: null }, live, undefined],
  ['an option that won', option, live, { gain: '0.3', result: '30', entry: '50000', exit: '50010', isClosed: true }],
  [
    'one that lost',
    { ...option, profit: '-100' } as Trade,
    undefined,
    { gain: '-1', result: '-100', entry: '50000', exit: '50010', isClosed: true },
  ],
  ['one that is not settled, or without a price', { ...option, settle_price: null } as Trade, live, undefined],
])('%s', (_, trade, last, amounts) => {
  expect(amountsOf(trade, last)).toEqual(amounts)
})

test.each([
  ['BTCUSDT', 'tessera-btcusdt-long.png'],
  ['BRK.B/USDT', 'tessera-brk-b-usdt-long.png'],
])('%s is saved as %s', (symbol, name) => expect(fileOf({ symbol, side: 'long' })).toBe(name))

test('the picture of an option is named by its direction', () =>
  expect(fileOf({ symbol: 'BTCUSDT', type: 'down' })).toBe('tessera-btcusdt-down.png'))
