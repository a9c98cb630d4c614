import Big from 'big.js'
import { decimalsOf, fromUnits, toUnits } from '#api-server/market/units.rules.ts'
import { openSpotStates, type SpotState, type TimeInForce } from '#contract/calls/c2c.calls.ts'
import { less, plain } from '#contract/money.ts'
import { machine } from '#contract/rules/machine.rules.ts'
import type { SpotTerms } from '#contract/trading.ts'

/** A coin as the ledger knows it. */
export interface Coin {
  id: number
  code: string
  scale: number
}

/** A market of base and quote coin. Inside the book a price is a number of ticks and a quantity a number of lots. */
export interface SpotMarket {
  symbol: string
  name: string
  base: Coin
  quote: Coin
  /** Step of the price. */
  tick: string
  /** Step of the quantity. */
  step: string
}

/** An order that has not ended may stay in its state: its customer may ask for another limit, or for it to be cancelled. */
export const orderMachine = machine({
  new: { change: 'new', rest: 'open', match: 'partial', fill: 'filled', cancel: 'cancelled', reject: 'rejected' },
  open: { change: 'open', match: 'partial', fill: 'filled', cancel: 'cancelled' },
  partial: { change: 'partial', match: 'partial', fill: 'filled', cancel: 'cancelled' },
  filled: {},
  cancelled: {},
  rejected: {},
})

export const isOpen = (status: SpotState): boolean => (openSpotStates as readonly SpotState[]).includes(status)

/** Numbers of both coins, which a match moves. */
export const coinsOf = ({ base, quote }: SpotMarket): [number, number] => [base.id, quote.id]

/** Ticks times lots stay exact below it. */
const unitsMax = Number.MAX_SAFE_INTEGER

// The offers of the house are counted anew four times a second in every market: with integers that costs a quarter.
function countOf(text: string, step: string): number | undefined {
  const scale = decimalsOf(step)
  const [units, stepUnits] = [toUnits(text, scale), toUnits(step, scale)!]
  return units !== undefined && units > 0 && units % stepUnits === 0 ? units / stepUnits : undefined
}
function textOf(count: number, step: string): string {
  const scale = decimalsOf(step)
  const text = fromUnits(count * toUnits(step, scale)!, scale)
  return scale === 0 ? text : text.replace(/\.?0+$/, '')
}
/** Undefined for what is no positive multiple of the step. */
export const ticksOf = ({ tick }: SpotMarket, price: string): number | undefined => countOf(price, tick)
export const lotsOf = ({ step }: SpotMarket, quantity: string): number | undefined => countOf(quantity, step)
export const priceOf = ({ tick }: SpotMarket, ticks: number): string => textOf(ticks, tick)
export const quantityOf = ({ step }: SpotMarket, lots: number): string => textOf(lots, step)
/** Lots of a quantity that are not filled yet. */
export const leftOf = (market: SpotMarket, quantity: string, filled: string): number =>
  lotsOf(market, quantity)! - (lotsOf(market, filled) ?? 0)
/** Returns the cost of so many lots at so many ticks. */
export const worthOf = ({ tick, step }: SpotMarket, ticks: number, lots: number): string =>
  plain(new Big(tick).times(step).times(ticks).times(lots))
/** A budget in ticks times lots; what is below one is not spent. */
export const budgetUnits = ({ tick, step }: SpotMarket, budget: string): number =>
  new Big(budget).div(new Big(tick).times(step)).round(0, Big.roundDown).toNumber()

/** An order as it was asked for, its amounts read. */
export interface Ask {
  isBuy: boolean
  isMarket: boolean
  /** Limit, or the worst price of a market order. */
  price: string | undefined
  /** Base coin, or undefined for a budget. */
  quantity: string | undefined
  budget: string | undefined
}
type AskOutcome = 'asked' | 'price_wrong' | 'size_wrong' | 'amount_too_large' | 'amount_too_small' | 'price_stale' | 'price_out_of_band'

/** Limits that are taken at a last price, each a multiple of the tick. */
export function bandOf({ tick }: Pick<SpotMarket, 'tick'>, last: string, band: string): { low: string; high: string } {
  const at = (factor: Big, round: 0 | 3) => plain(new Big(last).times(factor).div(tick).round(0, round).times(tick))
  const low = at(new Big(1).minus(band), Big.roundUp)
  return { low: new Big(low).gt(0) ? low : tick, high: at(new Big(1).plus(band), Big.roundDown) }
}

/** The first that applies is the answer. @param last price of the market; undefined before the first */
export function decideOrder(market: SpotMarket, terms: SpotTerms, ask: Ask, last: string | undefined): AskOutcome {
  const { isMarket, price, quantity, budget } = ask
  if (price === undefined ? !isMarket : ticksOf(market, price) === undefined) return 'price_wrong'
  if (quantity !== undefined && lotsOf(market, quantity) === undefined) return 'size_wrong'
  if (last === undefined) return 'price_stale'
  if (quantity !== undefined && new Big(quantity).gt(terms.size_max)) return 'amount_too_large'
  const value = budget === undefined ? new Big(isMarket ? last : price!).times(quantity!) : new Big(budget)
  if (value.gt(worthOf(market, 1, unitsMax))) return 'amount_too_large'
  if (value.lt(terms.value_min)) return 'amount_too_small'
  if (price === undefined) return 'asked'
  const { low, high } = bandOf(market, last, terms.price_band)
  return new Big(price).lt(low) || new Big(price).gt(high) ? 'price_out_of_band' : 'asked'
}

/** Whether the customer may give an order another limit: one that stands in the book or may come to stand there. */
export const isMovable = (order: {
  kind: 'limit' | 'market'
  time_in_force: TimeInForce
  status: SpotState
  cancelling: boolean
  moving: string | null
}): boolean =>
  order.kind === 'limit' &&
  (order.time_in_force === 'gtc' || order.time_in_force === 'post_only') &&
  isOpen(order.status) &&
  !order.cancelling &&
  order.moving === null

/** Returns the amount that an order holds frozen at its limit, in the quote coin for a buyer and in the base coin for a seller. */
export function heldBy(order: {
  side: 'buy' | 'sell'
  price: string | null
  quantity: string | null
  budget: string | null
  filled: string
  value: string
}): string {
  if (order.budget !== null) return less(order.budget, order.value)
  const left = new Big(order.quantity ?? 0).minus(order.filled)
  return plain(order.side === 'sell' ? left : left.times(order.price ?? 0))
}
