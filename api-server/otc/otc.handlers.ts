import Big from 'big.js'
import { balanceOf, coinOf, coinsOf, dealOf, eventOf, type OtcContext, orderRow } from '#api-server/otc/context.ts'
import { proposer } from '#api-server/otc/desk.ts'
import { agreedBy, leftOf, mostOf, orderMachine, otcLimits } from '#api-server/otc/otc.rules.ts'
import type { Coin, OrderFilter, OtcOrder } from '#api-server/otc/otc.store.ts'
import type { otcCalls } from '#contract/calls/otc.calls.ts'
import { exact } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Handlers } from '#server-kit/http/http.ts'
import { checkTimeRange } from '#server-kit/http/list-bounds.ts'
import { exportOf, exportPage, timeCell } from '#server-kit/ops/csv.rules.ts'

const columns = [
  ...['column_id', 'column_time', 'column_market', 'column_side', 'column_price', 'column_amount', 'column_amount_coin', 'column_value'],
  ...['column_state', 'column_reason', 'changed'],
] as const

function filterOf(filter: OrderFilter): OrderFilter {
  checkTimeRange(filter)
  return filter
}

/** The handlers of customers' calls; see otc.calls.ts. */
export function otcHandlers(context: OtcContext): Handlers<typeof otcCalls> {
  const { store, ledger, once, proofs, clock, announce } = context

  /** Fiat is the side that the quote coin stands for. @throws ApiProblem price_stale, order_limit */
  function mustFit(total: string, quote: Coin, limit: string): void {
    const price = context.coins.usd(quote)?.price
    if (price === undefined) throw new ApiProblem('price_stale')
    if (new Big(total).times(price).gt(limit)) throw new ApiProblem('order_limit', { field: 'amount', values: { limit: exact(limit) } })
  }

  return {
    'otc.offers': async ({ side, ...page }, { user: { uid } }) => {
      const coins = await coinsOf(context)
      const traded = [...coins.values()].filter(({ status }) => status === 1).map(({ id }) => id)
      const { rows, total } = await store.takeable(side, traded, clock.now(), page)
      const known = new Map<number, string>()
      const available = async (currency: number) => {
        if (!known.has(currency)) known.set(currency, await balanceOf(context, uid, currency))
        return known.get(currency)!
      }
      const list = []
      for (const row of rows) {
        const { scale } = coinOf(coins, row.currency_id)
        list.push({
          id: row.id,
          ...dealOf(coins, row),
          scale,
          quote_scale: coinOf(coins, row.quote_id).scale,
          amount_min: exact(row.amount_min),
          amount_max: mostOf(row),
          left: leftOf(row),
          until: row.until_at,
          simulated: row.proposed_by_id === proposer.id,
          coin_available: await available(row.currency_id),
          quote_available: await available(row.quote_id),
        })
      }
      return { list, total }
    },

    'otc.order': async (input, caller) => {
      const { uid } = caller.user
      // Read before the order is made: a read that failed afterwards would hide that it was.
      const listed = await coinsOf(context)
      const limits = await context.limits()
      const limitOf = (level: number) => limits.find((row) => row.level === level)?.order_limit_usd ?? '0'
      // A repeated call answers what the first one did, which is no news.
      let news: OtcOrder | undefined
      const answer = await once.run(caller, { call: 'otc.order', input }, async (tx) => {
        const { level } = await proofs.lock(tx, uid)
        if (level < 1) throw new ApiProblem('verification_required')
        const offer = await store.offer(input.offer_id, tx)
        if (!offer) throw new ApiProblem('offer_closed', { field: 'offer_id' })
        const coins = await coinsOf(context, tx)
        const [coin, quote] = [coinOf(coins, offer.currency_id), coinOf(coins, offer.quote_id)]
        if (coin.status !== 1 || quote.status !== 1) throw new ApiProblem('currency_closed', { field: 'offer_id' })
        const at = clock.now()
        const agreed = agreedBy(offer, input.amount, { scale: coin.scale, quoteScale: quote.scale }, at)
        mustFit(agreed.total, quote, limitOf(level))
        if ((await store.countWaiting(uid, tx)) >= otcLimits.waitingMax) throw new ApiProblem('list_full')
        await store.take(tx, offer.id, agreed.amount)
        const made = await store.add(tx, {
          uid,
          offer_id: offer.id,
          side: offer.side,
          currency_id: coin.id,
          quote_id: quote.id,
          price: exact(offer.price),
          ...agreed,
          created_at: at,
        })
        await ledger.post(tx, eventOf(made, at))
        news = made
        return orderRow(listed, made)
      })
      if (news) announce(news, 'insert')
      return answer
    },

    'otc.orders': async ({ page, size, ...filter }, { user }) => {
      const { rows, total } = await store.orders(user.uid, filterOf(filter), { page, size })
      const coins = await coinsOf(context)
      return { list: rows.map((row) => orderRow(coins, row)), total }
    },

    'otc.exportOrders': async (filter, { user, lang }) => {
      const { rows } = await store.orders(user.uid, filterOf(filter), exportPage)
      const coins = await coinsOf(context)
      const say = (key: string) => context.texts.say(lang, key)
      const list = rows.map((row) => orderRow(coins, row))
      return exportOf('tessera-otc', clock.now(), list, {
        titles: columns.map(say),
        line: (row) => [
          ...[row.id, timeCell(row.created), `${row.currency_code}/${row.quote_code}`, say(`side_${row.side}`), row.price, row.amount],
          ...[row.currency_code, row.total, say(`state_${row.status}`), row.reason, timeCell(row.changed)],
        ],
      })
    },

    'otc.cancel': async (input, caller) => {
      const { uid } = caller.user
      const listed = await coinsOf(context)
      let news: OtcOrder | undefined
      const answer = await once.run(caller, { call: 'otc.cancel', input }, async (tx) => {
        // A frozen account may take its own money back.
        await proofs.lock(tx, uid, true)
        const found = await store.order(input.id, tx)
        if (found?.uid !== uid) throw new ApiProblem('order_unknown', { field: 'id' })
        const at = clock.now()
        const ended = orderMachine.next(found.status, 'cancel') && (await store.end(tx, found, { status: 'cancelled', changed_at: at }))
        if (!ended) throw new ApiProblem('state_wrong', { field: 'id' })
        await store.take(tx, ended.offer_id, `-${exact(ended.amount)}`)
        await ledger.post(tx, eventOf(ended, at))
        news = ended
        return orderRow(listed, ended)
      })
      if (news) announce(news, 'update')
      return answer
    },
  }
}
