import { expect, test } from 'vitest'
import { type Place, placeOf } from '#api-server/back-office/place.rules.ts'

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

test.each<[action: string, subject: string, product: string, key: string]>([
  ['terms.propose', 'dual:6', 'dual', '6'],
  ['terms.pause', 'dual:6', 'dual', '6'],
  ['instrument.agree', 'contract:BTCUSDT', 'contract', 'BTCUSDT'],
])('%s of %s leads to terms', (action, subject, product, key) => {
  expect(placeOf({ action, subject })).toEqual({ leads_to: 'term', number: 0, product, key })
})
