import Big from 'big.js'
import { heldBy, isMovable, isOpen, type SpotMarket } from '#api-server/spot/market.rules.ts'
import type { SpotFillRow, SpotOrderRow, SpotReason, SpotSide, SpotState, TimeInForce } from '#contract/calls/c2c.calls.ts'
import { exact, plain, sum } from '#contract/money.ts'

/** How orders and fills are answered. Amounts come at the scale of the database. */

interface StoredOrder {
  id: number
  side: SpotSide
  kind: 'limit' | 'market'
  time_in_force: TimeInForce
  price: string | null
  quantity: string | null
  budget: string | null
  worst: string | null
  filled: string
  value: string
  fee: string
  taker_rate: string
  status: SpotState
  reason: SpotReason
  cancelling: boolean
  moving: string | null
  extra: string
  version: number
  created_at: number
  changed_at: number
}
interface StoredFill {
  id: number
  price: string
  quantity: string
  value: string
  buy_id: number | null
  buyer: number | null
  buyer_fee: string
  sell_id: number | null
  seller_fee: string
  taker: SpotSide
  at: number
}

const textOrNull = (amount: string | null) => (amount === null ? null : exact(amount))
const progressDecimals = 4

const named = ({ symbol, name, base, quote }: SpotMarket) => ({ symbol, name, base: base.code, quote: quote.code })

/** Price of the fills, rounded to the step of the price; null: none. */
export function averageOf({ tick }: Pick<SpotMarket, 'tick'>, order: Pick<StoredOrder, 'filled' | 'value'>): string | null {
  const filled = new Big(order.filled)
  return filled.eq(0) ? null : plain(new Big(order.value).div(filled).div(tick).round(0, Big.roundHalfUp).times(tick))
}

export function orderRow(market: SpotMarket, order: StoredOrder): SpotOrderRow {
  const { base, quote } = market
  const isBuy = order.side === 'buy'
  const [filled, value] = [new Big(order.filled), new Big(order.value)]
  const [whole, done] = order.budget === null ? [order.quantity ?? '1', filled] : [order.budget, value]
  const isDoing = isOpen(order.status)
  return {
    id: order.id,
    ...named(market),
    currency_id: base.id,
    legal_id: quote.id,
    type: order.side,
    tradeType: order.kind,
    time_in_force: order.time_in_force,
    price: textOrNull(order.price),
    worst_price: textOrNull(order.worst),
    quantity: textOrNull(order.quantity),
    budget: textOrNull(order.budget),
    filled: plain(filled),
    value: plain(value),
    average: averageOf(market, order),
    // A filled market order has spent all that a step of the quantity let it spend.
    progress: order.status === 'filled' ? '1' : plain(done.div(whole).round(progressDecimals, Big.roundDown)),
    fee: exact(order.fee),
    fee_code: isBuy ? base.code : quote.code,
    taker_rate: exact(order.taker_rate),
    received: plain((isBuy ? filled : value).minus(order.fee)),
    frozen: isDoing ? sum(heldBy(order), order.extra) : '0',
    frozen_code: isBuy ? quote.code : base.code,
    status: order.status,
    list: isDoing ? 'doing' : 'complete',
    reason: order.reason,
    can_cancel: isDoing && !order.cancelling,
    can_move: isMovable(order),
    version: order.version,
    created: order.created_at,
    changed: order.changed_at,
  }
}

/** A fill as one of its two customers sees it. */
export function fillRow(market: SpotMarket, fill: StoredFill, uid: number): SpotFillRow {
  const isBuyer = fill.buyer === uid
  return {
    id: fill.id,
    order_id: (isBuyer ? fill.buy_id : fill.sell_id)!,
    ...named(market),
    type: isBuyer ? 'buy' : 'sell',
    price: exact(fill.price),
    quantity: exact(fill.quantity),
    value: exact(fill.value),
    fee: exact(isBuyer ? fill.buyer_fee : fill.seller_fee),
    fee_code: isBuyer ? market.base.code : market.quote.code,
    role: (fill.taker === 'buy') === isBuyer ? 'taker' : 'maker',
    simulated: (isBuyer ? fill.sell_id : fill.buy_id) === null,
    time: fill.at,
  }
}
