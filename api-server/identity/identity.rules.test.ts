import { describe, expect, test } from 'vitest'
import {
  decided,
  documentNumber,
  hasReverse,
  type IdentityState,
  type IdType,
  maskDocument,
  maskName,
  stateOf,
  submitted,
} from '#api-server/identity/identity.rules.ts'
import { identityStates } from '#contract/calls/identity.calls.ts'

describe('numbers of documents', () => {
  test.each<[IdType, string, string]>([
    ['id_card', '11010519491231002x', '11010519491231002X'],
    ['id_card', 'A123456(7)', 'A1234567'],
    ['id_card', '１２３４５６', '123456'],
    ['id_card', '900101-1234567', '9001011234567'],
    ['passport', 'k 1234567', 'K1234567'],
    ['passport', 'C01X00T47', 'C01X00T47'],
    ['driver_licence', 'MH12 20080012345', 'MH1220080012345'],
    ['driver_licence', 'АВ 123456', 'АВ123456'],
  ])('%s %s is stored as %s', (type, typed, kept) => expect(documentNumber(type, typed)).toBe(kept))
  test.each<[IdType, string]>([
    ['id_card', ''],
    ['id_card', '1234'],
    ['id_card', 'ABCDEF'],
    ['id_card', '1'.repeat(25)],
    ['id_card', '12345<67'],
    ['passport', 'A1234567890123'],
    ['passport', '護照123456'],
    ['driver_licence', '12345\0'],
  ])('%s %j is not a number', (type, typed) => expect(documentNumber(type, typed)).toBeUndefined())
  test.each([
    ['11010519491231002X', '1****2X'],
    ['K1234567', 'K****67'],
    ['', ''],
    ['12', '****'],
  ])('%s is shown as %s', (number, shown) => expect(maskDocument(number)).toBe(shown))
  test.each([
    ['Ann Lee', 'A***'],
    ['李小龍', '李***'],
    ['', ''],
  ])('%s is shown as %s', (name, shown) => expect(maskName(name)).toBe(shown))
  test('only the front of a passport is required', () =>
    expect((['id_card', 'passport', 'driver_licence'] as const).map(hasReverse)).toEqual([true, false, true]))
})

const both = { emailBound: true, mobileBound: true }
describe('the permitted actions in every state', () => {
  const table: Record<IdentityState, [send: string, approve: string | undefined, reject: string | undefined]> = {
    none: ['taken', undefined, undefined],
    reviewing: ['state_wrong', 'passed', 'failed'],
    failed: ['taken', undefined, undefined],
    passed: ['state_wrong', undefined, undefined],
  }
  test.each(identityStates)('%s', (state) => {
    const sent = submitted({ asked: 1, level: 0, state, ...both })
    expect([sent, decided(state, 'approve'), decided(state, 'reject')]).toEqual(table[state])
  })
})
test.each<[level: number, asked: 1 | 2, email: boolean, mobile: boolean, outcome: string]>([
  [0, 1, true, true, 'taken'],
  [0, 1, true, false, 'contacts_unbound'],
  [0, 1, false, true, 'contacts_unbound'],
  [0, 1, false, false, 'contacts_unbound'],
  [1, 1, true, false, 'state_wrong'],
  [1, 1, true, true, 'state_wrong'],
  [2, 1, true, true, 'state_wrong'],
  [0, 2, true, true, 'level_missing'],
  [0, 2, true, false, 'level_missing'],
  [1, 2, true, false, 'contacts_unbound'],
  [1, 2, false, true, 'contacts_unbound'],
  [1, 2, true, true, 'taken'],
  [2, 2, true, true, 'state_wrong'],
])('level %i asks for %i (e-mail %s, mobile %s): %s', (level, asked, emailBound, mobileBound, outcome) => {
  expect(submitted({ asked, level, state: 'none', emailBound, mobileBound })).toBe(outcome)
})
test.each<[1 | 2, number, IdentityState | undefined, IdentityState]>([
  [1, 0, undefined, 'none'],
  [1, 0, 'reviewing', 'reviewing'],
  [2, 1, 'failed', 'failed'],
  [1, 1, undefined, 'passed'],
  [1, 2, 'failed', 'passed'],
  [1, 0, 'passed', 'none'],
])('level %i of a customer on %i whose newest proof is %s: %s', (level, reached, newest, state) =>
  expect(stateOf(level, reached, newest)).toBe(state),
)
