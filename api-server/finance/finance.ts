import Big from 'big.js'
import { incomeByDay, nextPayments, type PriceOf, termOf, worthOf } from '#api-server/finance/finance.rules.ts'
import type { EarningReads } from '#api-server/kit/earning.ts'
import { defineModule, type Module, type ProductPorts } from '#api-server/kit/module.ts'
import { type financeCalls, financePayments } from '#contract/calls/finance.calls.ts'
import { listMost } from '#contract/fields.ts'
import type { Handlers } from '#server-kit/http/http.ts'

function createFinance({ coins, clock }: Pick<ProductPorts, 'coins' | 'clock'>, products: readonly EarningReads[]) {
  /** All coins by number, and their prices. A coin without a price counts as worth nothing. */
  async function named() {
    const list = new Map((await coins.list()).map((coin) => [coin.id, coin]))
    const coinOf = (id: number) => list.get(id)!
    const nameOf = (id: number) => {
      const { code, scale } = coinOf(id)
      return { currency_id: id, currency_code: code, scale }
    }
    const priceOf: PriceOf = (id) => coins.usd(coinOf(id))?.price
    return { nameOf, priceOf }
  }
  const of = async <T>(read: (product: EarningReads) => Promise<readonly T[]>): Promise<T[]> =>
    (await Promise.all(products.map(read))).flat()

  const handlers: Handlers<typeof financeCalls> = {
    'finance.index': async (_input, { user: { uid } }) => {
      const [orders, income, { nameOf, priceOf }] = await Promise.all([
        of((product) => product.orders(uid)),
        of((product) => product.income(uid)),
        named(),
      ])
      const days = incomeByDay(income, priceOf, clock.now())
      const endOf = ({ payments }: (typeof orders)[number]) => payments.at(-1)!.at
      const shown = [...orders].sort((a, b) => endOf(a) - endOf(b) || a.id - b.id).slice(0, listMost.page)
      return {
        held_usd: worthOf(orders, priceOf),
        today_usd: days.at(-1)!.value,
        income_usd: worthOf(income, priceOf),
        days,
        total: orders.length,
        orders: shown.map((order) => ({
          key: `${order.kind} ${order.id}`,
          kind: order.kind,
          id: order.id,
          link: order.link,
          ...nameOf(order.currency),
          amount: order.amount,
          usd: worthOf([order], priceOf),
          income: order.income,
          ends: endOf(order),
        })),
        payments: nextPayments(orders, financePayments).map(({ order: { kind, id, link }, payment }) => ({
          key: `${kind} ${id} ${payment.at}`,
          kind,
          id,
          link,
          ...nameOf(payment.currency),
          at: payment.at,
          part: payment.part,
          amount: payment.amount,
          other_code: nameOf((payment.other ?? payment).currency).currency_code,
          other_amount: payment.other?.amount ?? null,
        })),
      }
    },
    'finance.offers': async ({ coin, term, risk }) => {
      const [sales, { nameOf }] = await Promise.all([of((product) => product.sales()), named()])
      const offers = sales.map(({ currency, ...sale }) => ({ key: `${sale.kind} ${sale.id}`, ...sale, ...nameOf(currency) }))
      const counts = new Map<string, number>()
      for (const { currency_code: code } of offers) counts.set(code, (counts.get(code) ?? 0) + 1)
      return {
        coins: [...counts]
          .map(([code, count]) => ({ code, offers: count }))
          .sort((a, b) => b.offers - a.offers || (a.code < b.code ? -1 : 1)),
        list: offers
          .filter(({ currency_code: code }) => coin === undefined || code === coin)
          .filter(({ days }) => term === undefined || termOf(days) === term)
          .filter((offer) => risk === undefined || offer.risk <= risk)
          .sort((a, b) => a.risk - b.risk || new Big(b.yearly).cmp(a.yearly) || a.id - b.id)
          .slice(0, listMost.page),
      }
    },
  }
  return { handlers }
}

/** The finance tab over all products of a list that pay an income. They must be made before it. */
export const financeOf = (products: readonly Module[]) =>
  defineModule('finance', {
    make: (ports, get) =>
      createFinance(
        ports,
        products.flatMap((product) => get(product).earning ?? []),
      ),
  })
