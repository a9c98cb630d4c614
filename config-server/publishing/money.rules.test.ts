import { expect, test } from 'vitest'
import { movesMoney, touchesMoney } from '#config-server/publishing/money.rules.ts'
import type { CallManifest } from '#language/catalog.ts'

const call = (name: string, auth: 'none' | 'user' = 'user') => ({ name, auth }) as CallManifest

test.for<[string, 'none' | 'user', boolean]>([
  ['wallet.withdraw', 'user', true],
  ['trade.placeOrder', 'user', true],
  ['fund.buy', 'user', true],
  ['transfer.submit', 'user', true],
  ['wallet.getRateCurrency', 'none', false],
  ['wallet.getBalance', 'user', false],
  ['trade.list', 'user', false],
  ['trade.listing', 'user', true],
  ['user.editNickname', 'user', false],
  ['market.kline', 'none', false],
])('%s (%s) moves money: %s', ([name, auth, moves]) => {
  expect(movesMoney(call(name, auth))).toBe(moves)
})

const calls = [call('wallet.withdraw'), call('wallet.getBalance'), call('user.info')]
const screen = (name: string) => JSON.stringify({ kind: 'screen', body: [{ on: { press: [{ confirm: 'x', then: [{ call: name }] }] } }] })
const routes = (guard: object) => JSON.stringify({ kind: 'routes', routes: { '/': { screen: 'a' }, fund: { screen: 'fund', ...guard } } })

test.for<[string, { before?: string | null; after?: string | null }, boolean]>([
  ['a screen that pays', { before: screen('user.info'), after: screen('wallet.withdraw') }, true],
  ['one that paid', { before: screen('wallet.withdraw'), after: screen('user.info') }, true],
  ['one that pays and is taken out', { before: screen('wallet.withdraw'), after: null }, true],
  ['one that reads', { before: screen('user.info'), after: screen('wallet.getBalance') }, false],
  ['words', { before: '{"a": "wallet.withdraw"}', after: '{"a": "b"}' }, false],
  ['a guard that falls', { before: routes({ auth: true, kyc: 2 }), after: routes({ kyc: 2 }) }, true],
  ['a level that falls', { before: routes({ auth: true, kyc: 2 }), after: routes({ auth: true, kyc: 1 }) }, true],
  ['a guard that is new', { before: routes({}), after: routes({ auth: true, kyc: 1 }) }, false],
  ['a route that goes', { before: routes({ auth: true }), after: JSON.stringify({ kind: 'routes', routes: {} }) }, false],
  ['no JSON', { before: routes({ auth: true }), after: '{' }, false],
  ['no routes', { before: routes({ auth: true }), after: '{"routes": null}' }, false],
])('%s', ([, change, touches]) => {
  expect(touchesMoney([{ before: '{}', after: '{}' }, change], calls)).toBe(touches)
})
