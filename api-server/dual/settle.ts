import { sql } from 'kysely'
import type { Currency } from '#api-server/currency/currency.reads.ts'
import { account, type DualContext, text } from '#api-server/dual/dual.handlers.ts'
import { resultOf } from '#api-server/dual/dual.rules.ts'
import type { Settlement } from '#api-server/dual/dual.store.ts'
import type { LedgerEvent } from '#api-server/ledger/ledger.ts'
import { settlementPrices } from '#api-server/market/settlement.reads.ts'
import type { CustomerNotice } from '#contract/calls/notice.kinds.ts'
import { dueRows } from '#server-kit/due/due-rows.ts'
import { dueTable } from '#server-kit/due/due-table.ts'

const everyMs = 1_000
/** So many are settled in one transaction at most. */
const togetherMost = 100

/** How an order ends, and the coin that is paid. */
type Paid = Settlement & { coin: Currency }

/**
 * Pays orders back that have matured. The price is read from the log of prices, once for all orders of a market and a maturity: however often it is
 * tried, it happens once and with one result.
 */
export function createSettling(context: DualContext) {
  const { database, store, ledger, notices, coins, trading, clock, reads, announce } = context
  const counts = { success: 0, fail: 0 }
  const waitingIn = (status: 'purchased' | 'settling') =>
    dueTable(database, { table: 'dual_order', due: 'due_at', where: sql`status = ${sql.lit(status)}` })
  const matured = dueRows(context, {
    name: 'dual_matured',
    source: waitingIn('purchased'),
    everyMs,
    together: 200,
    run: (tx, works) =>
      store.mature(
        tx,
        works.map(({ row }) => row),
      ),
    after(orders) {
      for (const order of orders) announce(order, 'update')
    },
  })
  const job = dueRows(context, {
    name: 'dual_settle',
    source: waitingIn('settling'),
    everyMs,
    first: matured,
    together: togetherMost,
    prepare() {
      const priceAt = settlementPrices(reads)
      return async (order): Promise<Paid | undefined> => {
        const by = await priceAt(order.symbol, order.due_at)
        if (!by) return undefined
        const result = resultOf(order, by.tick)
        const coin = await coins.one(result.outcome === 'base' ? order.base_id : order.quote_id)
        return { ...result, ...by, coin, at: Math.max(clock.now(), order.due_at) }
      }
    },
    async run(tx, works) {
      const events: LedgerEvent[] = []
      const news: CustomerNotice[] = []
      for (const { row, found } of works) {
        const { uid, id } = row
        const { coin } = found
        const isPriced = found.status === 'success'
        const amount = text(found.outcome === 'base' ? row.base_amount : row.quote_amount)
        events.push({
          kind: isPriced ? 'dual_settle' : 'dual_fail',
          source: `dual:${id}`,
          uid,
          at: found.at,
          postings: [
            { account: { platform: 'pool_dual' }, currency: coin.id, amount: `-${amount}` },
            { account: { uid, kind: account, part: 'available' }, currency: coin.id, amount },
          ],
        })
        const figures = { market: trading.instrument(row.symbol).name, result: amount, coin: coin.code }
        news.push({ uid, kind: isPriced ? 'dual_paid' : 'dual_returned', subject: id, figures })
      }
      const [, settled] = await Promise.all([ledger.postAll(tx, events), store.settle(tx, works), notices.notifyAll(tx, news)])
      return settled
    },
    after(orders) {
      for (const order of orders) {
        counts[order.status as keyof typeof counts]++
        announce(order, 'update')
      }
    },
  })
  return { job, counts: () => ({ ...job.counts(), ...counts }) }
}
