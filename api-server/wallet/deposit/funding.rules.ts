import Big from 'big.js'
import type { rechargeStates, withdrawStates } from '#contract/calls/funding.calls.ts'
import { type Machine, machine } from '#contract/rules/machine.rules.ts'

export type FundingType = 'recharge' | 'withdraw'
export type FundingStatus = (typeof rechargeStates)[number] | (typeof withdrawStates)[number]
export type FundingAction = 'second' | 'approve' | 'reject' | 'cancel' | 'sent' | 'done'

/** Of deposits and of withdrawals. `second`: the first of two operators has approved. */
export const fundingMachines: Record<FundingType, Machine<FundingStatus, FundingAction>> = {
  recharge: machine({
    reviewing: { second: 'reviewing', approve: 'credited', reject: 'rejected' },
    credited: {},
    rejected: {},
  }),
  withdraw: machine({
    reviewing: { second: 'reviewing', approve: 'approved', reject: 'rejected', cancel: 'cancelled' },
    approved: { sent: 'sent', reject: 'rejected' },
    sent: { done: 'done' },
    done: {},
    rejected: {},
    cancelled: {},
  }),
}

/** States whose amount does not count towards the 24-hour limit. */
export const refundedStates = ['rejected', 'cancelled'] as const

/** Maximum number of deposits of one customer that wait for review. */
export const openRechargesMax = 10
const vouchersMax = 3

/** Addresses of pictures in a field separated by commas; undefined for none, too many or a repeated one. */
export function vouchersIn(text: string | undefined): string[] | undefined {
  const parts = (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  return parts.length > 0 && parts.length <= vouchersMax && new Set(parts).size === parts.length ? parts : undefined
}

/** Whether an approval needs two operators. An unknown worth needs two. */
export const needsFourEyes = (usd: string | null, thresholdUsd: string): boolean => usd === null || new Big(usd).gte(thresholdUsd)
