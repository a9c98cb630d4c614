import type { LiveOrder } from '#api-server/spot/batch.ts'
import type { SpotMarket } from '#api-server/spot/market.rules.ts'
import { averageOf } from '#api-server/spot/row.rules.ts'
import type { SpotOrder } from '#api-server/spot/spot.store.ts'
import type { CustomerNotice } from '#contract/calls/notice.kinds.ts'
import { exact } from '#contract/money.ts'

/** Notices of orders that waited in the book and are full now; none for one that its customer has just moved there. */
export const filledNotices = (
  orders: readonly LiveOrder[],
  waited: (id: number) => SpotOrder | undefined,
  marketOf: (symbol: string) => SpotMarket,
): CustomerNotice[] =>
  orders.flatMap((order): CustomerNotice[] => {
    const { id: subject, uid, side: word, status, answered } = order
    if (status !== 'filled' || answered !== undefined || !waited(subject)) return []
    const market = marketOf(order.symbol)
    const figures = { market: market.name, amount: exact(order.filled), coin: market.base.code, price: averageOf(market, order)! }
    return [{ uid, kind: 'spot_filled', word, subject, figures }]
  })
