import { describe, expect, test } from 'vitest'
import {
  hasReverse,
  type IdentityState,
  maskDocument,
  maskName,
  proofMachine,
  stateOf,
  submitted,
} from '#api-server/identity/identity.rules.ts'
import { identityStates } from '#contract/calls/identity.calls.ts'

describe('numbers of documents', () => {
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
  const table: Record<IdentityState, [send: string, approve?: string, reject?: string]> = {
    none: ['taken'],
    reviewing: ['state_wrong', 'passed', 'failed'],
    failed: ['taken', undefined, undefined],
    passed: ['state_wrong', undefined, undefined],
  }
  test.each(identityStates)('%s', (state) => {
    const sent = submitted({ asked: 1, level: 0, state, ...both })
    // Without a submission there is nothing to decide.
    const decided = state === 'none' ? [] : [proofMachine.next(state, 'approve'), proofMachine.next(state, 'reject')]
    expect([sent, ...decided]).toEqual(table[state])
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
