import type * as z from 'zod'
import { authCalls } from '#contract/auth.calls.ts'
import { commonCalls, uploadCalls, walletCalls } from '#contract/common.calls.ts'
import { marketCalls } from '#contract/market.calls.ts'
import { userCalls } from '#contract/user.calls.ts'

/** Every call there is, by the name that documents use. A new area adds one line here. */
export const contract = { ...commonCalls, ...uploadCalls, ...authCalls, ...userCalls, ...marketCalls, ...walletCalls } as const

export type CallName = keyof typeof contract
export type CallInput<N extends CallName> = z.output<(typeof contract)[N]['input']>
export type CallOutput<N extends CallName> = z.output<(typeof contract)[N]['output']>
