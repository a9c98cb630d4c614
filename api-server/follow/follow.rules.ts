import Big from 'big.js'
import type { SkipReason } from '#contract/calls/follow.calls.ts'
import { listMost } from '#contract/fields.ts'
import { exact, plain } from '#contract/money.ts'
import type { ProblemCode } from '#contract/problem.ts'
import { typedAmount } from '#contract/rules/amount.rules.ts'
import { machine, type StateOf } from '#contract/rules/machine.rules.ts'

export const followLimits = {
  numberMin: '0.01',
  numberMax: '10000',
  /** Least lots of a copy that are closed. */
  lotsStep: '0.01',
  stopMax: '1000000000',
  /** Traders that one customer copies at a time. */
  activeMax: 50,
  introductionMax: 200,
  /** After so long a position is not copied any more: the market has moved on. */
  lateMs: 60_000,
  /** Positions of traders that are looked at for copies that are missing. */
  lookBackMs: 86_400_000,
  curveDays: listMost.curve,
} as const

/** A following ends by its customer, or at the loss that stops it. */
export const followMachine = machine({ active: { cancel: 'cancelled', lose: 'lost' }, cancelled: {}, lost: {} })

/** Copied (open, then closed), held by the follower alone (own), or skipped. A copy that stays open is brought in line with its trader. */
export const copyMachine = machine({ open: { align: 'open', close: 'closed', leave: 'own' }, closed: {}, own: {}, skipped: {} })
export type CopyState = StateOf<typeof copyMachine>

/** Of who asks to become a trader. */
export const applicationMachine = machine({ reviewing: { approve: 'passed', reject: 'failed' }, failed: {}, passed: {} })

/** A factor or a number of lots as exact text: above 0, two decimals at most. */
export function readNumber(text: string): string | undefined {
  const number = typedAmount(text, 2)
  return number?.gte(followLimits.numberMin) && number.lte(followLimits.numberMax) ? plain(number) : undefined
}
/** A loss at which a following ends, as exact text. */
export function readStop(text: string, scale: number): string | undefined {
  const loss = typedAmount(text, scale)
  return loss?.gt(0) && loss.lte(followLimits.stopMax) ? plain(loss) : undefined
}

/** Returns a trader's introduction: one paragraph without invisible signs; undefined where nothing is left. */
export function introductionOf(text: string): string | undefined {
  const clean = text.normalize('NFC').replace(/\s+/gu, ' ').replace(/\p{C}/gu, '').trim()
  return clean || undefined
}

/** Why a position is not copied; undefined where the refusal will be over soon and copying is tried again. */
export function skipReasonOf(problem: ProblemCode): SkipReason | undefined {
  const reasons: Partial<Record<ProblemCode, SkipReason>> = {
    insufficient_balance: 'balance',
    too_many_open: 'too_many_open',
    amount_too_small: 'size',
    amount_too_large: 'size',
    size_wrong: 'size',
    multiple_wrong: 'size',
    symbol_unknown: 'market',
    currency_unknown: 'market',
    market_halted: 'market',
    market_closed: 'market',
    account_frozen: 'frozen',
  }
  return reasons[problem]
}

/**
 * Lots to close of a copy once a position of the trader has become smaller: the same part, two decimals toward zero; all that is left where the
 * trader has closed everything.
 */
export function lotsToClose(held: string, trader: { before: string; left: string }): string {
  if (new Big(trader.left).lte(0)) return exact(held)
  const closed = new Big(trader.before).minus(trader.left)
  return plain(new Big(held).times(closed).div(trader.before).round(2, Big.roundDown))
}

/**
 * How much of the trader's position a copy is in line with once a part of it was closed. A part that was too little to close is carried to
 * the next time.
 * @param copy lots of the copy before and after; twelve decimals away from zero
 */
export function traderLotsAfter(traderLots: string, copy: { held: string; left: string }): string {
  return plain(new Big(traderLots).times(copy.left).div(copy.held).round(12, Big.roundUp))
}

/** Whether what copies have lost has reached the stop. @param results of copies, open ones with their profit at the last price */
export function isLost(stop: string | null, results: readonly string[]): boolean {
  if (stop === null) return false
  return results
    .reduce((sum, one) => sum.plus(one), new Big(0))
    .plus(stop)
    .lte(0)
}

/** Winning to closed, four decimals toward zero; null before the first. */
export function accuracyOf({ winning, closed }: { winning: number; closed: number }): string | null {
  return closed > 0 ? plain(new Big(winning).div(closed).round(4, Big.roundDown)) : null
}

/** The hour that a moment lies in. Figures of traders are those of an hour. */
export const hourOf = (at: number): number => at - (at % 3_600_000)
