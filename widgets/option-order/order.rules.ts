import Big from 'big.js'
import { optionOutcome } from '#contract/functions/option.outcome.function.ts'
import { optionPayout } from '#contract/functions/option.payout.function.ts'
import { plain } from '#contract/money.ts'
import type { Order } from '#widgets/option-order/option-order.props.ts'

const secondMs = 1_000

type OptionFacts = Pick<Order, 'type' | 'number' | 'rate' | 'scale' | 'open_price'>

/** Whole seconds to the expiry; a second that has begun counts. Never more than the order lasts, whatever the clock of the device says. */
export const secondsLeft = (expires: number, now: number, seconds: number): number =>
  Math.min(seconds, Math.max(0, Math.ceil((expires - now) / secondMs)))

/** The share of its time that is left, in [0, 1]. */
export const shareLeft = (expires: number, now: number, seconds: number): number =>
  Math.min(1, Math.max(0, (expires - now) / (seconds * secondMs)))

/** Returns the outcome of the order at a price, with its gain or loss. */
export function expectedAt(order: OptionFacts, price: string): { outcome: 'won' | 'lost' | 'draw'; profit: string } {
  const outcome = optionOutcome.run({ type: order.type, open: order.open_price, settle: price }) as 'won' | 'lost' | 'draw'
  const stake = new Big(order.number)
  if (outcome === 'draw') return { outcome, profit: '0' }
  if (outcome === 'lost') return { outcome, profit: plain(stake.neg()) }
  return { outcome, profit: plain(new Big(optionPayout.run({ stake: order.number, rate: order.rate, scale: order.scale })).minus(stake)) }
}
