import Big from 'big.js'
import { type LeverList, type LeverSide, type LeverState, type LeverStatus, leverSides } from '#contract/calls/lever.rows.ts'
import type { CallOutput } from '#contract/contract.ts'
import { listMost } from '#contract/fields.ts'
import { contractFee } from '#contract/functions/contract.fee.function.ts'
import { contractFillPrice } from '#contract/functions/contract.fillPrice.function.ts'
import { contractLimitPrice } from '#contract/functions/contract.limitPrice.function.ts'
import { contractLiquidationPrice } from '#contract/functions/contract.liquidationPrice.function.ts'
import { contractMargin } from '#contract/functions/contract.margin.function.ts'
import { contractNotional } from '#contract/functions/contract.notional.function.ts'
import { tradeMoved } from '#contract/functions/trade.moved.function.ts'
import { plain, sum } from '#contract/money.ts'
import type { ProblemCode } from '#contract/problem.ts'
import { typedAmount } from '#contract/rules/amount.rules.ts'
import { type ActionOf, machine } from '#contract/rules/machine.rules.ts'
import type { ContractTerms } from '#contract/trading.ts'

export const leverLimits = {
  /** Waiting orders and open positions of one customer together: each order may become a position. */
  rowsMax: listMost.positions,
  /** No price of the platform comes near. */
  priceMax: '1000000000000',
} as const
/** How many rows count against `rowsMax`. */
export const rowsIn = (counts: { open: number; entrusts: number } | undefined): number => (counts ? counts.open + counts.entrusts : 0)
/** Decimals of a number of lots. */
export const lotsScale = 2
export const dayMs = 86_400_000

/** Orders and positions. `finish` is `fire` and `settle` in one write. */
export const positionMachine = machine({
  entrust: { change: 'entrust', fill: 'open', cancel: 'cancelled' },
  open: { change: 'open', fire: 'closing', finish: 'closed' },
  closing: { settle: 'closed' },
  closed: {},
  cancelled: {},
})
export type LeverAction = ActionOf<typeof positionMachine>

const lists: Record<LeverState, LeverList> = {
  entrust: 'entrust',
  open: 'position',
  closing: 'position',
  closed: 'history',
  cancelled: 'cancelled',
}
export const listOfState = (state: LeverState): LeverList => lists[state]
/** The states that a word asks for: its own, or those of its list. */
export const statesOf = (status: LeverStatus): LeverState[] =>
  (Object.keys(lists) as LeverState[]).filter((state) => state === status || lists[state] === status)

export const otherSide = (side: LeverSide): LeverSide => leverSides[1 - leverSides.indexOf(side)]!
/** The later of two prices for the holder of `side`: the higher one for a long position. */
const isAbove = (side: LeverSide, a: string, b: string) => (side === 'long' ? new Big(a).gt(b) : new Big(a).lt(b))

type Refusal = { problem: ProblemCode; field: string }
const refuse = (problem: ProblemCode, field: string): Refusal => ({ problem, field })
export const isRefusal = (found: unknown): found is Refusal => typeof found === 'object' && found !== null && 'problem' in found

/** A number of lots as exact text. */
export function readLots(text: string, terms: Pick<ContractTerms, 'lots_min' | 'lots_max'>): string | Refusal {
  const lots = typedAmount(text, lotsScale)
  if (!lots?.gt(0)) return refuse('size_wrong', 'lots')
  if (lots.lt(terms.lots_min)) return refuse('amount_too_small', 'lots')
  if (lots.gt(terms.lots_max)) return refuse('amount_too_large', 'lots')
  return plain(lots)
}
/** A part of a position, or all of it. */
export function readPart(text: string | undefined, open: string): string | Refusal {
  if (text === undefined) return open
  const lots = typedAmount(text, lotsScale)
  return lots?.gt(0) && lots.lte(open) ? plain(lots) : refuse('size_wrong', 'lots')
}

/** A price as exact text. @param tick the step that it must stand on; without one it may stand anywhere */
export function readPrice(text: string, field: string, tick?: string): string | Refusal {
  const price = typedAmount(text)
  if (!price?.gt(0) || price.gt(leverLimits.priceMax)) return refuse('price_wrong', field)
  if (tick !== undefined && !price.mod(tick).eq(0)) return refuse('price_wrong', field)
  return plain(price)
}

/** Long: take profit above the price, stop loss below it; short: the reverse. */
export function stopRefusal(side: LeverSide, price: string, tp: string | null, sl: string | null): Refusal | undefined {
  if (tp !== null && !isAbove(side, tp, price)) return refuse('stop_price_wrong', 'target_profit_price')
  if (sl !== null && !isAbove(side, price, sl)) return refuse('stop_price_wrong', 'stop_loss_price')
  return undefined
}

/** Whether a price of the market is still what the customer has seen, and no worse than the worst one. */
export function movedRefusal(
  side: LeverSide,
  fill: string,
  { shown, worst, tolerance }: { shown: string | undefined; worst: string | undefined; tolerance: string },
): Refusal | undefined {
  if (worst !== undefined && isAbove(side, fill, worst)) return refuse('price_moved', 'worst_price')
  if (shown !== undefined && tradeMoved.run({ shown, price: fill, tolerance })) return refuse('price_moved', 'price')
  return undefined
}

/** A limit that is worse than the worst price contradicts it. */
export const limitRefusal = (side: LeverSide, limit: string, worst: string): Refusal | undefined =>
  isAbove(side, limit, worst) ? refuse('price_wrong', 'worst_price') : undefined

interface Ordered {
  side: LeverSide
  lots: string
  lot_size: string
  multiple: number
  fee_rate: string
}
/** Returns the cost of an order at a price, each part rounded up. */
export function costOf({ lots, lot_size, multiple, fee_rate }: Omit<Ordered, 'side'>, price: string, scale: number) {
  const notional = contractNotional.run({ lots, lot_size, price })
  const margin = contractMargin.run({ notional, multiple, scale })
  const fee = contractFee.run({ notional, rate: fee_rate, scale })
  return { margin, fee, total: sum(margin, fee) }
}

/** The liquidation price as it is shown, and acts; null where no price liquidates. */
export function liquidationOf(
  row: Pick<Ordered, 'side' | 'lots' | 'lot_size'> & { open_price: string; margin: string; maintenance_rate: string },
  priceScale: number,
): string | null {
  const price = contractLiquidationPrice.run({ ...row, price: row.open_price, scale: priceScale })
  return price === '0' ? null : price
}
/** Whether the market has reached a liquidation price. */
export const isLiquidated = (side: LeverSide, mark: string, liquidation: string | null): boolean =>
  liquidation !== null && !isAbove(side, mark, liquidation)

/** Returns the cost of a waiting order when it is filled; undefined where the money does not suffice. */
export function fillCost(
  order: Ordered & { type: 'market' | 'limit'; held: string; maintenance_rate: string },
  at: { price: string; mark: string; available: string; scale: number; priceScale: number },
): { margin: string; fee: string } | undefined {
  const { margin, fee, total } = costOf(order, at.price, at.scale)
  const [held, cost] = [new Big(order.held), new Big(total)]
  if (cost.lte(held)) return { margin, fee }
  if (order.type === 'market') return cost.minus(held).lte(at.available) ? { margin, fee } : undefined
  // A short order that is filled above its limit is worth more than it has frozen; it takes no more than that.
  const rest = plain(held.minus(fee))
  if (new Big(rest).lte(0)) return undefined
  const liquidation = liquidationOf({ ...order, open_price: at.price, margin: rest }, at.priceScale)
  return isLiquidated(order.side, at.mark, liquidation) ? undefined : { margin: rest, fee }
}

/** Whether the market has reached the limit of an order. */
export const isReached = (side: LeverSide, mark: string, limit: string): boolean => !isAbove(side, mark, limit)
/** At the limit or better. */
export const limitFill = (side: LeverSide, limit: string, market: string): string => contractLimitPrice.run({ side, limit, fill: market })
export const openingPrice = (side: LeverSide, mark: string, spread: string, tick: string): string =>
  contractFillPrice.run({ side, price: mark, spread, tick })
export const closingPrice = (side: LeverSide, mark: string, spread: string, tick: string): string =>
  contractFillPrice.run({ side: otherSide(side), price: mark, spread, tick })

/** The average price of closings, rounded to the decimals of a price. @param worth lots × price of all of them @returns null before the first */
export const averageExit = (worth: string, lots: string, priceScale: number): string | null =>
  new Big(lots).eq(0) ? null : plain(new Big(worth).div(lots).round(priceScale, Big.roundHalfUp))

/** The first 00:00 UTC after a moment. */
export const nightAfter = (at: number): number => (Math.floor(at / dayMs) + 1) * dayMs
/** The fee of one night; no more than the margin. */
export function overnightFee(
  row: { lots: string; lot_size: string; margin: string; overnight_rate: string },
  price: string,
  scale: number,
) {
  const fee = new Big(
    contractFee.run({ notional: contractNotional.run({ lots: row.lots, lot_size: row.lot_size, price }), rate: row.overnight_rate, scale }),
  )
  return plain(fee.lt(row.margin) ? fee : new Big(row.margin))
}

/** The result of contracts on one day. Exact decimals. */
export interface PaidDay {
  /** 00:00 UTC, ms. */
  day: number
  profit: string
  fee: string
  overnight: string
  result: string
  closes: number
}
type SettledDay = Pick<PaidDay, 'day' | 'profit'> & { settled: number }
type Profit = CallOutput<'lever.profit'>
type Sums = Pick<Profit, 'profit' | 'fee' | 'overnight' | 'result'>
const sumNames = ['profit', 'fee', 'overnight', 'result'] as const
const noSums: Sums = { profit: '0', fee: '0', overnight: '0', result: '0' }

const addSums = (all: Sums, more: Sums): Sums =>
  Object.fromEntries(sumNames.map((name) => [name, sum(all[name], more[name])])) as unknown as Sums

/** The days of contracts and of options as one list, oldest first, and the sums of all. Options have no fees: the stake is all that is paid. */
export function profitDays(contracts: readonly PaidDay[], options: readonly SettledDay[]): Sums & Pick<Profit, 'list'> {
  const days = [
    ...contracts.map(({ day, closes, ...paid }) => ({ day, closes, options: 0, paid })),
    ...options.map(({ day, profit, settled }) => ({ day, closes: 0, options: settled, paid: { ...noSums, profit, result: profit } })),
  ]
  const list = [...new Set(days.map(({ day }) => day))]
    .sort((a, b) => a - b)
    .map((day) => {
      const of = days.filter((one) => one.day === day)
      const count = (name: 'closes' | 'options') => of.reduce((all, one) => all + one[name], 0)
      return {
        date: new Date(day).toISOString().slice(0, 10),
        closes: count('closes'),
        options: count('options'),
        ...of.reduce((all, { paid }) => addSums(all, paid), noSums),
      }
    })
  return { ...list.reduce<Sums>(addSums, noSums), list }
}
