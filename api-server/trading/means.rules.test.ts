import { expect, test } from 'vitest'
import { type Acceptance, createMeans, type Means } from '#api-server/trading/means.rules.ts'

const [btc, usdt] = [1, 3]
const [rich, poor, frozen, busy, nobody] = [1, 2, 3, 4, 5]
const means = new Map<number, Means>([
  [rich, { status: 'active', standing: {} }],
  [poor, { status: 'active', standing: { orders: 0 } }],
  [frozen, { status: 'frozen', standing: {} }],
  [busy, { status: 'active', standing: { orders: 2, positions: 7 } }],
])
const available = [
  { uid: rich, currency: usdt, amount: '1000' },
  { uid: poor, currency: usdt, amount: '10.000000000000000001' },
  { uid: poor, currency: btc, amount: '0.5' },
  { uid: frozen, currency: usdt, amount: '1000' },
  { uid: busy, currency: usdt, amount: '1000' },
]

test.for<[string, [uid: number, currency: number, held: string, Acceptance][]]>([
  ['all that there is', [[poor, usdt, '10.000000000000000001', 'accepted']]],
  ['more than there is, by the last decimal', [[poor, usdt, '10.000000000000000002', 'insufficient_balance']]],
  ['a coin that was never held', [[rich, btc, '0.1', 'insufficient_balance']]],
  [
    'one that is refused takes nothing from those after it',
    [
      [rich, usdt, '600', 'accepted'],
      [poor, usdt, '11', 'insufficient_balance'],
      [poor, usdt, '10', 'accepted'],
      [rich, usdt, '400', 'accepted'],
    ],
  ],
  [
    'two of one customer that are too much together',
    [
      [rich, usdt, '600', 'accepted'],
      [rich, usdt, '600', 'insufficient_balance'],
      [rich, usdt, '400', 'accepted'],
    ],
  ],
  [
    'coins apart',
    [
      [poor, usdt, '10', 'accepted'],
      [poor, btc, '0.5', 'accepted'],
    ],
  ],
  [
    'the last place among open orders',
    [
      [busy, usdt, '1', 'accepted'],
      [busy, usdt, '1', 'list_full'],
    ],
  ],
  [
    'a refused order takes no place',
    [
      [busy, btc, '1', 'insufficient_balance'],
      [busy, usdt, '1', 'accepted'],
    ],
  ],
  ['a frozen account', [[frozen, usdt, '5000', 'account_frozen']]],
  ['an account that is not there', [[nobody, usdt, '1', 'unauthorized']]],
])('accepts %s', ([, orders]) => {
  const accept = createMeans(means, available)
  const outcomes = orders.map(([uid, currency, held]) => accept({ uid, currency, held, list: 'orders', most: 3 }))
  expect(outcomes).toEqual(orders.map(([, , , outcome]) => outcome))
})

test('counts each list by itself', () => {
  const accept = createMeans(means, available)
  const one = { uid: busy, currency: usdt, held: '1' }
  expect(accept({ ...one, list: 'positions', most: 8 })).toBe('accepted')
  expect(accept({ ...one, list: 'positions', most: 8 })).toBe('list_full')
  expect(accept({ ...one, list: 'orders', most: 3 })).toBe('accepted')
})
