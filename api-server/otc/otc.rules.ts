import Big from 'big.js'
import type { OtcOfferState } from '#contract/calls/office.otc.calls.ts'
import type { OtcSide } from '#contract/calls/otc.calls.ts'
import { otcTotal } from '#contract/functions/otc.total.function.ts'
import { exact, less, plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import { typedAmount } from '#contract/rules/amount.rules.ts'
import { type ActionOf, machine } from '#contract/rules/machine.rules.ts'

export const otcLimits = {
  /** Orders of one customer that wait for review. */
  waitingMax: 20,
  priceDecimals: 8,
  priceMax: '1000000000',
  /** Of an offer, and of what it comes to in the quote coin. */
  amountMax: '1000000000000000',
} as const

const dayMs = 86_400_000

/** Orders take amounts from an open offer, and give them back also when it is closed. */
export const offerMachine = machine({
  proposed: { agree: 'open', withdraw: 'withdrawn', refuse: 'refused' },
  open: { take: 'open', close: 'closed' },
  closed: { giveBack: 'closed' },
  withdrawn: {},
  refused: {},
})
export type OfferAction = Exclude<ActionOf<typeof offerMachine>, 'take' | 'giveBack'>

export const orderMachine = machine({
  reviewing: { settle: 'settled', reject: 'rejected', cancel: 'cancelled' },
  settled: {},
  rejected: {},
  cancelled: {},
})
export type OrderAction = ActionOf<typeof orderMachine>

/** Decimals of both coins. */
interface Scales {
  scale: number
  quoteScale: number
}
interface TypedOffer {
  side: OtcSide
  price: string
  amount_min: string
  amount_max: string
  whole: string
  /** First and last day: ms UTC of their beginning. */
  from?: number | undefined
  until?: number | undefined
}
/** Terms of an offer as exact text. */
interface OfferTerms {
  side: OtcSide
  price: string
  amount_min: string
  amount_max: string
  whole: string
  from_at: number | null
  until_at: number | null
}

/**
 * An offer as an operator has typed it.
 * @throws ApiProblem price_wrong, amount_wrong, amount_too_small, amount_too_large, range_reversed
 */
export function readOffer(typed: TypedOffer, { scale, quoteScale }: Scales, now: number): OfferTerms {
  const { side } = typed
  const price = typedAmount(typed.price, otcLimits.priceDecimals)
  if (!price?.gt(0) || price.gt(otcLimits.priceMax)) throw new ApiProblem('price_wrong', { field: 'price' })
  const amount = (field: 'amount_min' | 'amount_max' | 'whole') => {
    const read = typedAmount(typed[field], scale)
    if (!read?.gt(0)) throw new ApiProblem('amount_wrong', { field })
    return read
  }
  const [least, most, whole] = [amount('amount_min'), amount('amount_max'), amount('whole')]
  if (most.lt(least)) throw new ApiProblem('amount_too_small', { field: 'amount_max' })
  if (whole.lt(most)) throw new ApiProblem('amount_too_small', { field: 'whole' })
  if (whole.gt(otcLimits.amountMax) || whole.times(price).gt(otcLimits.amountMax))
    throw new ApiProblem('amount_too_large', { field: 'whole' })
  // Rounded down, the least order must still bring something.
  if (otcTotal.run({ side: 'sell', price: plain(price), amount: plain(least), scale: quoteScale }) === '0')
    throw new ApiProblem('amount_too_small', { field: 'amount_min' })
  const from = typed.from
  const until = typed.until === undefined ? undefined : typed.until + dayMs
  if (until !== undefined && until <= Math.max(now, from ?? 0)) throw new ApiProblem('range_reversed', { field: 'until' })
  return {
    side,
    price: plain(price),
    amount_min: plain(least),
    amount_max: plain(most),
    whole: plain(whole),
    from_at: from ?? null,
    until_at: until ?? null,
  }
}

const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10)
/** First and last day as `readOffer` has read them: 2026-11-20, UTC. */
export const daysOf = ({ from_at, until_at }: Pick<OfferTerms, 'from_at' | 'until_at'>) => ({
  first_day: from_at === null ? null : dateOf(from_at),
  last_day: until_at === null ? null : dateOf(until_at - dayMs),
})

interface Offered extends Pick<OfferTerms, 'side' | 'price' | 'amount_min' | 'amount_max' | 'whole' | 'from_at' | 'until_at'> {
  status: OtcOfferState
  taken: string
}
export const leftOf = ({ whole, taken }: Pick<Offered, 'whole' | 'taken'>): string => less(whole, taken)
/** The most that one order can ask for now. */
export function mostOf(offer: Pick<Offered, 'amount_max' | 'whole' | 'taken'>): string {
  const [left, most] = [new Big(leftOf(offer)), new Big(offer.amount_max)]
  return plain(left.lt(most) ? left : most)
}

/**
 * Amount and total of an order.
 * @throws ApiProblem offer_closed, amount_wrong, amount_too_small, amount_too_large
 */
export function agreedBy(offer: Offered, typed: string, { scale, quoteScale }: Scales, now: number): { amount: string; total: string } {
  const isOpen = offer.status === 'open' && (offer.from_at ?? now) <= now && now < (offer.until_at ?? Number.POSITIVE_INFINITY)
  if (!isOpen || new Big(leftOf(offer)).lt(offer.amount_min)) throw new ApiProblem('offer_closed', { field: 'offer_id' })
  const read = typedAmount(typed, scale)
  if (!read?.gt(0)) throw new ApiProblem('amount_wrong', { field: 'amount' })
  if (read.lt(offer.amount_min)) throw new ApiProblem('amount_too_small', { field: 'amount' })
  if (read.gt(mostOf(offer))) throw new ApiProblem('amount_too_large', { field: 'amount' })
  const amount = plain(read)
  return { amount, total: otcTotal.run({ side: offer.side, price: exact(offer.price), amount, scale: quoteScale }) }
}
