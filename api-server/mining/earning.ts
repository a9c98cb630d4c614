import type { EarningPayment, EarningReads } from '#api-server/kit/earning.ts'
import type { MiningContext } from '#api-server/mining/booking.ts'
import { dueOf, leftOf, saleState } from '#api-server/mining/mining.rules.ts'
import type { MiningOrder } from '#api-server/mining/mining.store.ts'
import { financePayments } from '#contract/calls/finance.calls.ts'
import { miningIncome } from '#contract/functions/mining.income.function.ts'
import { exact, smallest, sum, product as times } from '#contract/money.ts'

const yearDays = '365'

/** The next incomes of a running order, and the last one with the principal. */
function paymentsOf(order: MiningOrder): EarningPayment[] {
  const left = Array.from({ length: order.locked_days - order.paid_days }, (_, at) => order.paid_days + 1 + at)
  const shown = [...left.slice(0, -1).slice(0, financePayments), order.locked_days]
  return shown.map((day) => {
    const isLast = day === order.locked_days
    const amount = isLast ? sum(order.amount, order.income) : exact(order.income)
    return { at: dueOf(order, day), part: isLast ? 'all' : 'income', currency: order.currency_id, amount }
  })
}

/** Locked mining on the finance tab. */
export function miningEarning({ store, coins }: MiningContext): EarningReads {
  return {
    orders: async (uid) =>
      (await store.running(uid)).map((order) => ({
        kind: order.kind,
        id: order.id,
        link: `pages/lockming/order?id=${order.id}`,
        currency: order.currency_id,
        amount: exact(order.amount),
        income: times(order.income, String(order.paid_days)),
        payments: paymentsOf(order),
      })),
    income: (uid) => store.incomeByDay(uid),
    async sales() {
      const scales = new Map((await coins.list()).map(({ id, scale }) => [id, scale]))
      return (await store.onSale())
        .filter((product) => saleState(product) === 'on_sale')
        .map((product) => {
          const { id, kind, currency_id: currency, daily, locked_days: days, risk, simulated } = product
          const most = smallest([exact(product.most), leftOf(product)])
          return {
            kind,
            id,
            link: `pages/lockming/buy?mid=${id}`,
            currency,
            days,
            yearly: times(daily, yearDays),
            rate: times(daily, String(days)),
            risk,
            most,
            income: miningIncome.run({ amount: most, daily, days, scale: scales.get(currency)! }),
            ends: null,
            simulated,
          }
        })
    },
  }
}
