import { type DualContext, depositedIn, text } from '#api-server/dual/dual.handlers.ts'
import { agreedAt, leftOf, saleState } from '#api-server/dual/dual.rules.ts'
import type { EarningReads } from '#api-server/kit/earning.ts'
import { dualDays } from '#contract/functions/dual.days.function.ts'
import { dualRate } from '#contract/functions/dual.rate.function.ts'
import { less } from '#contract/money.ts'

/** Dual investments on the finance tab. The income of one is the yield in the coin that is paid back. */
export function dualEarning(context: DualContext): EarningReads {
  const { store, coins, clock } = context
  return {
    async orders(uid) {
      return (await store.running(uid)).map((order) => {
        const [base, quote] = [
          { currency: order.base_id, amount: text(order.base_amount) },
          { currency: order.quote_id, amount: text(order.quote_amount) },
        ]
        const [kept, other] = order.type === 'call' ? [base, quote] : [quote, base]
        return {
          kind: `dual_${order.type}` as const,
          id: order.id,
          link: `pages/invest/mine?id=${order.id}`,
          currency: kept.currency,
          amount: text(order.amount),
          income: '0',
          payments: [{ at: order.due_at, part: 'either' as const, currency: kept.currency, amount: kept.amount, other }],
        }
      })
    },
    income: (uid) => store.income(uid),
    async sales() {
      const now = clock.now()
      const scales = new Map((await coins.list()).map(({ id, scale }) => [id, scale]))
      return (await store.onSale(now))
        .filter((product) => saleState(product, now) === 'on_sale')
        .map((product) => {
          const { id, type, base_id, quote_id, yearly, risk, ends_at, matures_at, limit_each, simulated } = product
          const shares = Math.min(limit_each, leftOf(product))
          const agreed = agreedAt(product, shares, { base: scales.get(base_id)!, quote: scales.get(quote_id)! }, now)
          const days = dualDays.run({ bought: now, matures: matures_at })
          return {
            kind: `dual_${type}` as const,
            id,
            link: `pages/invest/purchase?id=${id}`,
            currency: depositedIn(product),
            days,
            yearly: text(yearly),
            rate: dualRate.run({ yearly: text(yearly), days }),
            risk,
            most: text(agreed.amount),
            income: less(type === 'call' ? agreed.base_amount : agreed.quote_amount, agreed.amount),
            ends: ends_at,
            simulated,
          }
        })
    },
  }
}
