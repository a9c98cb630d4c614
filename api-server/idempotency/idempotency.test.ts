import Big from 'big.js'
import { expect, test } from 'vitest'
import { bodyText, ownerOf } from '#api-server/idempotency/idempotency.ts'

const same: [string, unknown, unknown][] = [
  ['order of fields', { a: '1', b: '2' }, { b: '2', a: '1' }],
  ['an absent field', { a: '1', b: undefined }, { a: '1' }],
  ['an exact decimal and its text', { a: new Big('1.50') }, { a: '1.5' }],
  ['no fields', undefined, null],
]
test.for(same)('both inputs give the same body text: %s', ([, one, other]) => {
  expect(bodyText('call', one)).toBe(bodyText('call', other))
})

const other: [string, unknown, unknown][] = [
  ['a value', { a: '1' }, { a: '2' }],
  ['a number and its text', { a: 1 }, { a: '1' }],
  ['a name', { a: '1' }, { b: '1' }],
  ['order in a list', { a: ['1', '2'] }, { a: ['2', '1'] }],
  ['an object and its pairs', { a: { b: '1' } }, { a: [['b', ['1']]] }],
  ['a blank', { a: '1' }, { a: '1 ' }],
]
test.for(other)('another body: %s', ([, one, two]) => {
  expect(bodyText('call', one)).not.toBe(bodyText('call', two))
})

test('the same fields in another call give another body text', () => {
  expect(bodyText('wallet.transfer', { a: '1' })).not.toBe(bodyText('user.Transfer', { a: '1' }))
})

test.for([
  [{ user: { uid: 7 } }, 'user:7'],
  [{ operator: { id: 7 } }, 'operator:7'],
  [{ user: { uid: 7 }, operator: { id: 8 } }, 'operator:8'],
  [{}, undefined],
] as const)('whose key: %j', ([caller, owner]) => {
  expect(ownerOf(caller)).toBe(owner)
})
