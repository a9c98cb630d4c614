import { expect, test } from 'vitest'
import {
  type FundingAction,
  type FundingStatus,
  fundingMachines,
  needsFourEyes,
  vouchersIn,
} from '#api-server/wallet/deposit/funding.rules.ts'
import { rechargeStates, withdrawStates } from '#contract/calls/funding.calls.ts'

const actions: FundingAction[] = ['approve', 'reject', 'cancel', 'sent', 'done']
const allowed = new Map<string, FundingStatus>([
  ['recharge reviewing approve', 'credited'],
  ['recharge reviewing reject', 'rejected'],
  ['withdraw reviewing approve', 'approved'],
  ['withdraw reviewing reject', 'rejected'],
  ['withdraw reviewing cancel', 'cancelled'],
  ['withdraw approved sent', 'sent'],
  ['withdraw approved reject', 'rejected'],
  ['withdraw sent done', 'done'],
])

test('every pair of state and action is allowed or refused by the state machine; a final state never changes', () => {
  const seen: string[] = []
  for (const [type, states] of [
    ['recharge', rechargeStates],
    ['withdraw', withdrawStates],
  ] as const)
    for (const status of states)
      for (const action of actions) {
        const pair = `${type} ${status} ${action}`
        expect(fundingMachines[type].next(status, action), pair).toBe(allowed.get(pair))
        seen.push(pair)
      }
  expect(seen).toHaveLength(45)
})

test.each<[text: string | undefined, vouchers: string[] | undefined]>([
  ['/a', ['/a']],
  [' /a , /b,/c ', ['/a', '/b', '/c']],
  ['/a,,/b,', ['/a', '/b']],
  ['/a,/b,/c,/d', undefined],
  ['/a,/a', undefined],
  ['', undefined],
  [',', undefined],
  [undefined, undefined],
])('vouchers in %j', (text, vouchers) => {
  expect(vouchersIn(text)).toEqual(vouchers)
})

test.each<[usd: string | null, threshold: string, needed: boolean]>([
  ['9999.99999999', '10000', false],
  ['10000', '10000', true],
  ['0', '0', true],
  [null, '10000', true],
])('worth %s, threshold %s: two approvals needed is %s', (usd, threshold, needed) => {
  expect(needsFourEyes(usd, threshold)).toBe(needed)
})
