import type { OptionState, OptionType, optionLists } from '#contract/calls/mic.calls.ts'
import { optionOutcome } from '#contract/functions/option.outcome.function.ts'
import { optionPayout } from '#contract/functions/option.payout.function.ts'
import { tradeMoved } from '#contract/functions/trade.moved.function.ts'
import { exact, parseAmount, plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import { typedAmount } from '#contract/rules/amount.rules.ts'
import { machine } from '#contract/rules/machine.rules.ts'
import type { OptionDuration, OptionTerms } from '#contract/trading.ts'

/** A price that is older than this at the expiry settles nothing: the stake goes back. */
export const priceBeforeMsMax = 5_000

export const optionMachine = machine({
  holding: { expire: 'settling' },
  settling: { win: 'won', lose: 'lost', draw: 'draw', void: 'void' },
  won: {},
  lost: {},
  draw: {},
  void: {},
})
/** States in which the stake is frozen. */
export const runningStates = ['holding', 'settling'] as const
export const listOfState = (status: OptionState): (typeof optionLists)[number] => (optionMachine.isEnd(status) ? 'history' : 'position')

export interface Agreed {
  type: OptionType
  /** Exact decimal text. */
  stake: string
  rate: string
  open_price: string
  due_at: number
}
export interface Result {
  status: 'won' | 'lost' | 'draw' | 'void'
  /** The credited amount, stake included. */
  payout: string
}

/**
 * Returns the result of an order.
 * @param tick the last recorded one at or before the expiry; none: there was never any
 * @param scale decimals of the coin
 */
export function resultOf(order: Agreed, tick: { price: string; time: number } | undefined, scale: number): Result {
  if (tick && tick.time > order.due_at) throw new Error('an order is never settled by a tick after its expiry')
  const stake = exact(order.stake)
  if (!tick || order.due_at - tick.time > priceBeforeMsMax) return { status: 'void', payout: stake }
  const status = optionOutcome.run({ type: order.type, open: order.open_price, settle: tick.price }) as Result['status']
  if (status === 'won') return { status, payout: optionPayout.run({ stake, rate: order.rate, scale }) }
  return { status, payout: status === 'draw' ? stake : '0' }
}

export interface Asked {
  seconds: number
  number: string
  /** The price that the screen showed. */
  price?: string | undefined
  rate?: string | undefined
}

/**
 * Stake and duration of an order by the terms that count now.
 * @throws ApiProblem duration_unknown, amount_wrong, amount_too_small, amount_too_large, terms_changed, price_wrong, price_moved
 */
export function agreedBy(
  terms: OptionTerms,
  asked: Asked,
  { price, scale }: { price: string; scale: number },
): { stake: string; duration: OptionDuration } {
  const duration = terms.durations.find((one) => one.seconds === asked.seconds)
  if (!duration) throw new ApiProblem('duration_unknown', { field: 'seconds' })
  const stake = typedAmount(asked.number, scale)
  if (!stake?.gt(0)) throw new ApiProblem('amount_wrong', { field: 'number' })
  if (stake.lt(duration.stake_min)) throw new ApiProblem('amount_too_small', { field: 'number' })
  if (stake.gt(duration.stake_max)) throw new ApiProblem('amount_too_large', { field: 'number' })
  if (asked.rate !== undefined && !parseAmount(asked.rate)?.eq(duration.payout_rate)) throw new ApiProblem('terms_changed')
  if (asked.price !== undefined) {
    const shown = parseAmount(asked.price)
    if (!shown) throw new ApiProblem('price_wrong', { field: 'price' })
    if (tradeMoved.run({ shown: plain(shown), price, tolerance: terms.tolerance })) throw new ApiProblem('price_moved')
  }
  return { stake: plain(stake), duration }
}
