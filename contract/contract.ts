import type * as z from 'zod'
import { authCalls } from '#contract/auth.calls.ts'
import { commonCalls, uploadCalls } from '#contract/common.calls.ts'
import { fundingCalls } from '#contract/funding.calls.ts'
import { identityCalls } from '#contract/identity.calls.ts'
import { marketCalls } from '#contract/market.calls.ts'
import { userCalls } from '#contract/user.calls.ts'
import { walletCalls } from '#contract/wallet.calls.ts'

/** Every call there is, by the name that documents use. A new area adds one line here. */
export const contract = {
  ...commonCalls,
  ...uploadCalls,
  ...authCalls,
  ...userCalls,
  ...identityCalls,
  ...marketCalls,
  ...walletCalls,
  ...fundingCalls,
} as const

export type CallName = keyof typeof contract
export type CallInput<N extends CallName> = z.output<(typeof contract)[N]['input']>
export type CallOutput<N extends CallName> = z.output<(typeof contract)[N]['output']>
