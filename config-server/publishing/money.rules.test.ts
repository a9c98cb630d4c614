import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { movesMoney, touchesMoney } from '#config-server/publishing/money.rules.ts'
import type { CallManifest } from '#language/types/catalog.ts'

const call = (name: string, keyed?: CallManifest['keyed'], auth: CallManifest['auth'] = 'user') => ({ name, auth, keyed }) as CallManifest

test.for<[string, CallManifest['keyed'], CallManifest['auth'], boolean]>([
  ['wallet.withdraw', 'money', 'user', true],
  ['user.cashSave', 'money', 'user', true],
  ['wallet.getBalance', undefined, 'user', false],
  ['user.editNickname', 'data', 'user', false],
  ['office.recharge', 'money', 'operator', false],
  ['market.kline', undefined, 'none', false],
])('%s (%s, %s) moves money: %s', ([name, keyed, auth, moves]) => {
  expect(movesMoney(call(name, keyed, auth))).toBe(moves)
})

test('the calls of the product that move money are told by their mark', () => {
  const all = JSON.parse(readFileSync('contract/manifest.json', 'utf8')) as CallManifest[]
  const names = all.filter(movesMoney).map((one) => one.name)
  expect(names).toEqual(
    expect.arrayContaining(['wallet.transfer', 'wallet.exchange', 'wallet.withdraw', 'wallet.recharge', 'user.Transfer']),
  )
  expect(names.filter((name) => /\.(?:get|list)|Info$/.test(name))).toEqual([])
})

const calls = [call('wallet.withdraw', 'money'), call('wallet.getBalance'), call('user.info')]
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
