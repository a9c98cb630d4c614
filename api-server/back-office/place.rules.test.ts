import { expect, test } from 'vitest'
import { changesIn, type Place, placeOf } from '#api-server/back-office/place.rules.ts'

test.each<[subject: string, leads_to: Place['leads_to'], number: number]>([
  ['recharge:12', 'recharge', 12],
  ['withdraw:3', 'withdrawal', 3],
  ['verification:7', 'verification', 7],
  ['trader:8', 'trader', 8],
  ['offer:4', 'offer', 4],
  ['otc:5', 'otc_order', 5],
  ['dual:6', 'none', 0],
  ['customer:100001', 'customer', 100_001],
  ['settings', 'none', 0],
  ['audit', 'none', 0],
  ['', 'none', 0],
  ['constructor:1', 'none', 0],
  ['customer:', 'none', 0],
  ['customer:1x', 'none', 0],
  ['customer:-1', 'none', 0],
  ['customer:9999999999999999', 'none', 0],
])('%j leads to %s', (subject, leads_to, number) => {
  expect(placeOf({ action: 'audit.export', subject })).toEqual({ leads_to, number, product: '', key: '' })
})

test('an allocation leads to its page, the terms of the same sale to theirs', () => {
  expect(placeOf({ action: 'allocation.agree', subject: 'ieo:7' })).toEqual({ leads_to: 'ieo_allocation', number: 7, product: '', key: '' })
  expect(placeOf({ action: 'terms.agree', subject: 'ieo:7' })).toEqual({ leads_to: 'term', number: 0, product: 'ieo', key: '7' })
})

test.each<[action: string, subject: string, product: string, key: string]>([
  ['terms.propose', 'dual:6', 'dual', '6'],
  ['terms.pause', 'dual:6', 'dual', '6'],
  ['instrument.agree', 'contract:BTCUSDT', 'contract', 'BTCUSDT'],
])('%s of %s leads to terms', (action, subject, product, key) => {
  expect(placeOf({ action, subject })).toEqual({ leads_to: 'term', number: 0, product, key })
})

test.each<[string, ReturnType<typeof changesIn>]>([
  ['fee_rate 0.1 % → 0.2 %', [{ name: 'fee_rate', before: '0.1 %', after: '0.2 %' }]],
  [
    'spread – → 1 USDT; multiples 5, 10 → 5, 10, 20',
    [
      { name: 'spread', before: '', after: '1 USDT' },
      { name: 'multiples', before: '5, 10', after: '5, 10, 20' },
    ],
  ],
  ['seen in person', undefined],
  ['10000 → 20000', undefined],
  ['fee_rate 0.1 % → 0.2 %; seen in person', undefined],
  ['', undefined],
])('the detail %j lists %j', (detail, changes) => {
  expect(changesIn(detail)).toEqual(changes)
})
