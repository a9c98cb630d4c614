import Big from 'big.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { linesOf } from '#api-server/ledger/lines.rules.ts'
import { type FilledMatch, settle } from '#api-server/spot/settle.ts'
import { spotFee } from '#contract/functions/spot.fee.function.ts'

const coins = { base: { id: 1, code: 'BTC', scale: 8 }, quote: { id: 3, code: 'USDT', scale: 8 } }
const side = (uid: number, limit: string | null = null) => ({ uid, limit, rate: '0.001', rateMost: '0.001', received: '0', paid: '0' })
const lines = (match: FilledMatch) =>
  settle(coins, match).postings.map(({ account, currency, amount }) =>
    [
      'uid' in account ? `${account.uid} ${account.part}` : 'platform' in account ? account.platform : '',
      currency === 1 ? 'BTC' : 'USDT',
      amount,
    ].join(' '),
  )

test.each<[string, FilledMatch, string[]]>([
  [
    'below the limit of the buyer',
    { price: '49990', quantity: '0.4', buyer: side(9, '50000'), seller: side(1) },
    [
      ...['9 frozen USDT -20000', '9 available USDT 4', '9 available BTC 0.3996', 'fee BTC 0.0004'],
      ...['1 frozen BTC -0.4', '1 available USDT 19976.004', 'fee USDT 19.996'],
    ],
  ],
  [
    'at the limit',
    { price: '50000', quantity: '0.6', buyer: side(9, '50000'), seller: side(2) },
    [
      ...['9 frozen USDT -30000', '9 available BTC 0.5994', 'fee BTC 0.0006'],
      ...['2 frozen BTC -0.6', '2 available USDT 29970', 'fee USDT 30'],
    ],
  ],
  [
    'out of a budget, from the house',
    { price: '50000', quantity: '0.1', buyer: side(9), seller: undefined },
    ['9 frozen USDT -5000', '9 available BTC 0.0999', 'fee BTC 0.0001', 'convert BTC -0.1', 'convert USDT 5000'],
  ],
  [
    'to the house',
    { price: '50000', quantity: '0.1', buyer: undefined, seller: side(1) },
    ['convert BTC 0.1', 'convert USDT -5000', '1 frozen BTC -0.1', '1 available USDT 4995', 'fee USDT 5'],
  ],
])('a fill %s', (_says, match, expected) => expect(lines(match)).toEqual(expected))

test('the fees of many small fills are no more than the fee on all of them, and no fill pays below zero', () => {
  const fills = fc.array(fc.record({ lots: fc.integer({ min: 1, max: 90 }), takes: fc.boolean() }), { minLength: 1, maxLength: 40 })
  const rates = fc.constantFrom(['0.001', '0.001'], ['0.00075', '0.001'], ['0', '0.0033'])
  fc.assert(
    fc.property(fills, rates, ([...some], [maker, taker]) => {
      let [received, paid] = [new Big(0), new Big(0)]
      for (const { lots, takes } of some) {
        const quantity = new Big(lots).div(100_000).toFixed()
        const buyer = { ...side(9), rate: takes ? taker! : maker!, rateMost: taker!, received: received.toFixed(), paid: paid.toFixed() }
        const { buyerFee } = settle(coins, { price: '50000', quantity, buyer, seller: undefined })
        expect(new Big(buyerFee).gte(0)).toBe(true)
        received = received.plus(quantity)
        paid = paid.plus(buyerFee)
      }
      expect(paid.lte(spotFee.run({ amount: received.toFixed(), rate: taker!, scale: 8 }))).toBe(true)
    }),
  )
})

test('every fill sums to zero in both coins, whatever its size and its rates', () => {
  const rates = fc.constantFrom('0', '0.001', '0.00075', '0.01')
  const sides = fc.record({
    ticks: fc.integer({ min: 1, max: 9_000_000 }),
    over: fc.integer({ min: 0, max: 1_000 }),
    lots: fc.integer({ min: 1, max: 50_000_000 }),
    buys: rates,
    sells: rates,
    house: fc.integer({ min: 0, max: 2 }),
    spends: fc.boolean(),
  })
  fc.assert(
    fc.property(sides, ({ ticks, over, lots, buys, sells, house, spends }) => {
      const price = new Big(ticks).div(100).toFixed()
      const limit = spends ? null : new Big(ticks + over).div(100).toFixed()
      const match = {
        price,
        quantity: new Big(lots).div(100_000).toFixed(),
        buyer: house === 1 ? undefined : { ...side(9, limit), rate: buys },
        seller: house === 2 ? undefined : { ...side(1), rate: sells },
      }
      const { postings } = settle(coins, match)
      expect(() => linesOf([{ kind: 'spot_trade', source: 'fill:1', uid: null, at: 1, postings }], 0)).not.toThrow()
    }),
  )
})
