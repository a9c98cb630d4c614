import Big from 'big.js'
import type { rechargeStates, withdrawStates } from '#contract/calls/funding.calls.ts'

export type FundingType = 'recharge' | 'withdraw'
export type FundingStatus = (typeof rechargeStates)[number] | (typeof withdrawStates)[number]
export type FundingAction = 'approve' | 'reject' | 'cancel' | 'sent' | 'done'

/** The only ways from one state to another. Whatever is not here is refused. */
const machine: Record<FundingType, Partial<Record<FundingStatus, Partial<Record<FundingAction, FundingStatus>>>>> = {
  recharge: { reviewing: { approve: 'credited', reject: 'rejected' } },
  withdraw: {
    reviewing: { approve: 'approved', reject: 'rejected', cancel: 'cancelled' },
    approved: { sent: 'sent', reject: 'rejected' },
    sent: { done: 'done' },
  },
}

/** The state after an action, or undefined where it is not allowed. */
export const nextStatus = (type: FundingType, status: FundingStatus, action: FundingAction): FundingStatus | undefined =>
  machine[type][status]?.[action]

/** States in which a withdrawal holds its amount frozen. */
export const holdingStates = ['reviewing', 'approved', 'sent'] as const

/** States whose amount does not count against the limit of 24 hours. */
export const refundedStates = ['rejected', 'cancelled'] as const

/** Recharges of one customer that may wait for review at once. */
export const openRechargesMax = 10
export const vouchersMax = 3

/** The addresses of pictures in a field that parts them by commas; undefined for none, too many or a repeated one. */
export function vouchersIn(text: string | undefined): string[] | undefined {
  const parts = (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  return parts.length > 0 && parts.length <= vouchersMax && new Set(parts).size === parts.length ? parts : undefined
}

/** Whether an approval needs two operators. A worth that nobody knows needs them. */
export const needsFourEyes = (usd: string | null, thresholdUsd: string): boolean => usd === null || new Big(usd).gte(thresholdUsd)
