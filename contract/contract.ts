import type * as z from 'zod'
import { authCalls } from '#contract/calls/auth.calls.ts'
import { c2cCalls } from '#contract/calls/c2c.calls.ts'
import { commonCalls, uploadCalls } from '#contract/calls/common.calls.ts'
import { dualCalls } from '#contract/calls/dual.calls.ts'
import { miningCalls } from '#contract/calls/earning/mining.calls.ts'
import { financeCalls } from '#contract/calls/finance.calls.ts'
import { followCalls } from '#contract/calls/follow.calls.ts'
import { fundingCalls } from '#contract/calls/funding.calls.ts'
import { identityCalls } from '#contract/calls/identity.calls.ts'
import { ieoCalls } from '#contract/calls/ieo.calls.ts'
import { leverCalls } from '#contract/calls/lever.calls.ts'
import { marketCalls } from '#contract/calls/market.calls.ts'
import { micCalls } from '#contract/calls/mic.calls.ts'
import { noticeCalls } from '#contract/calls/notice.calls.ts'
import { otcCalls } from '#contract/calls/otc.calls.ts'
import { userCalls } from '#contract/calls/user.calls.ts'
import { walletCalls } from '#contract/calls/wallet.calls.ts'

/** All calls by the names that documents use. A new area adds one line here. */
export const contract = {
  ...commonCalls,
  ...uploadCalls,
  ...authCalls,
  ...userCalls,
  ...identityCalls,
  ...marketCalls,
  ...walletCalls,
  ...fundingCalls,
  ...leverCalls,
  ...micCalls,
  ...c2cCalls,
  ...followCalls,
  ...otcCalls,
  ...noticeCalls,
  ...dualCalls,
  ...ieoCalls,
  ...financeCalls,
  ...miningCalls,
} as const

export type CallName = keyof typeof contract
export type CallInput<N extends CallName> = z.output<(typeof contract)[N]['input']>
export type CallOutput<N extends CallName> = z.output<(typeof contract)[N]['output']>
