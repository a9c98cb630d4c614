import { expect, test } from 'vitest'
import {
  btcWorth,
  ceilingOf,
  decideWithdraw,
  leftOf,
  type WithdrawAsk,
  type WithdrawFacts,
  withdrawOutcomes,
} from '#api-server/wallet/withdraw/withdraw.rules.ts'
import { walletWithdrawFee } from '#contract/functions/wallet.withdrawFee.function.ts'

const ask: WithdrawAsk = { amount: '100', shownFee: '4', isBank: false, usableFrom: 0 }
const facts: WithdrawFacts = {
  now: 1_000,
  level: 1,
  holdUntil: null,
  isOpen: true,
  min: '20',
  fee: '4',
  available: '1000',
  coinUsd: '1',
  btcUsd: '50000',
  limitBtc: '200',
  usedBtc: '0',
  orderLimitUsd: '2000',
}

test('on request: the received amount and the worth', () => {
  expect(decideWithdraw(ask, facts)).toEqual({ outcome: 'asked', received: '96', btc: '0.002', usd: '100' })
  expect(decideWithdraw({ ...ask, shownFee: undefined }, facts).outcome).toBe('asked')
  expect(decideWithdraw({ ...ask, shownFee: '4.000' }, facts).outcome).toBe('asked')
  expect(decideWithdraw(ask, { ...facts, available: '100', usedBtc: '199.998', holdUntil: 1_000 }).outcome).toBe('asked')
  expect(decideWithdraw({ ...ask, isBank: true, amount: '2000' }, { ...facts, available: '2000' }).outcome).toBe('asked')
})

/** Each row breaks one rule more than the one before, so the answers follow the order of precedence. */
const broken: [(typeof withdrawOutcomes)[number], Partial<WithdrawAsk>, Partial<WithdrawFacts>][] = [
  ['withdraw_limit', {}, { usedBtc: '199.99800001' }],
  ['order_limit', { isBank: true }, { orderLimitUsd: '99.99' }],
  ['price_stale', {}, { btcUsd: undefined }],
  ['insufficient_balance', {}, { available: '99.99999999' }],
  ['fee_changed', { shownFee: '3.99' }, {}],
  ['amount_too_small', {}, { min: '100.00000001' }],
  ['address_on_hold', { usableFrom: 1_001 }, {}],
  ['currency_closed', {}, { isOpen: false }],
  ['withdraw_on_hold', {}, { holdUntil: 1_001 }],
  ['verification_required', {}, { level: 0 }],
]
test('refusals come in order of precedence', () => {
  let asked = ask
  let known = facts
  for (const [outcome, one, other] of broken) {
    expect(decideWithdraw({ ...ask, ...one }, { ...facts, ...other }).outcome, `${outcome} alone`).toBe(outcome)
    asked = { ...asked, ...one }
    known = { ...known, ...other }
    expect(decideWithdraw(asked, known).outcome, outcome).toBe(outcome)
  }
  expect(broken.map(([outcome]) => outcome).reverse()).toEqual([...withdrawOutcomes])
})
test('an amount that the fee would consume is too small', () => {
  expect(decideWithdraw({ ...ask, amount: '4', shownFee: undefined }, { ...facts, min: '0' }).outcome).toBe('amount_too_small')
})

test.each<[amount: string, fee: string, rate: string, scale: number, charged: string]>([
  ['100', '4', '0', 8, '4'],
  ['100', '2', '0.002', 8, '2.2'],
  ['0.33333333', '0', '0.001', 8, '0.00033334'],
  ['1', '0', '0', 8, '0'],
])('the fee of %s at %s + %s is %s', (amount, fee, fee_rate, scale, charged) => {
  expect(walletWithdrawFee.run({ amount, fee, fee_rate, scale })).toBe(charged)
})

test('worth in BTC is rounded up', () => {
  expect(btcWorth('100', '1', '50000')).toBe('0.002')
  expect(btcWorth('0.00000001', '0.1', '50000')).toBe('0.00000001')
})

test('the withdrawable maximum respects every limit and is accepted', () => {
  const most = { available: '900', leftBtc: '0.01', coinUsd: '3', btcUsd: '50000', orderLimitUsd: null, scale: 6 }
  expect(ceilingOf(most)).toEqual({ left: '166.666666', max: '166.666666' })
  expect(ceilingOf({ ...most, available: '10' }).max).toBe('10')
  expect(ceilingOf({ ...most, orderLimitUsd: '100' }).max).toBe('33.333333')
  expect(ceilingOf({ ...most, btcUsd: undefined })).toEqual({ left: '0', max: '0' })
  const taken = decideWithdraw(
    { ...ask, amount: ceilingOf(most).max, shownFee: undefined },
    { ...facts, coinUsd: '3', limitBtc: '0.01', min: '1', available: '900' },
  )
  expect(taken.outcome).toBe('asked')
  expect([leftOf('200', '150.5'), leftOf('200', '450')]).toEqual(['49.5', '0'])
})
