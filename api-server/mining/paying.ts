import { sql } from 'kysely'
import { book, locking, type MiningContext, storeBooked } from '#api-server/mining/booking.ts'
import { agreedBy, dueDays, isNoWorse, renewedAmount } from '#api-server/mining/mining.rules.ts'
import type { MiningOrder } from '#api-server/mining/mining.store.ts'
import type { CustomerNotice } from '#contract/calls/notice.kinds.ts'
import { exact } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import { dueRows } from '#server-kit/due/due-rows.ts'
import { dueTable } from '#server-kit/due/due-table.ts'

const everyMs = 1_000
/** So many are paid in one transaction at most. */
const togetherMost = 200

/** The notice of an order that was paid out at its maturity. */
const paidOut = ({ uid, id, amount, renewal }: MiningOrder, code: string): CustomerNotice => ({
  uid,
  subject: id,
  kind: renewal === 'none' ? 'mining_paid' : 'mining_not_renewed',
  figures: { amount: exact(amount), coin: code },
})

/** Pays incomes and principals when they are due, renews orders, and reminds of renewals. */
export function createPaying(context: MiningContext) {
  const { database, notices, coins, clock, proofs, told } = context
  /** The last day of an order with a renewal is left to the job of renewals. */
  const paying = dueRows(context, {
    name: 'mining_pay',
    source: dueTable(database, {
      table: 'mining_order',
      due: 'due_at',
      where: sql`status = 'running' and (renewal = 'none' or due_at < ends_at)`,
    }),
    everyMs,
    together: togetherMost,
    // Runs outside of the transaction.
    prepare: () => (order) => coins.one(order.currency_id),
    async run(tx, works) {
      const at = clock.now()
      const news: CustomerNotice[] = []
      const booked = works.map(({ row, found }) => {
        const isLast = row.due_at === row.ends_at
        if (isLast) news.push(paidOut(row, found.code))
        const end = isLast ? ({ how: 'matured', penalty: '0', next_id: null } as const) : undefined
        return book(row, found, [row.paid_days + 1], Math.max(at, row.due_at), end)
      })
      await storeBooked(context, tx, booked)
      await notices.notifyAll(tx, news)
      return booked.map(({ after }) => after)
    },
    after(orders) {
      for (const order of orders) told(order, 'update')
    },
  })

  /**
   * Ends a matured order that the customer wanted renewed. Its income and principal come back first, so that the new one is paid from them.
   * @param isRenewed false: it is paid out, since the terms, the stock, the balance or the account do not allow a renewal
   * @returns the orders that have changed; undefined where another transaction was first
   * @throws ApiProblem where it cannot be renewed
   */
  async function mature(found: MiningOrder, isRenewed: boolean): Promise<MiningOrder[] | undefined> {
    const coin = await coins.one(found.currency_id)
    return database.transaction(async (tx) => {
      if (isRenewed) await proofs.lock(tx, found.uid)
      const row = await context.store.locked(tx, found.uid, found.id)
      const at = Math.max(clock.now(), found.ends_at)
      if (row?.status !== 'running' || row.renewal === 'none' || row.due_at !== row.ends_at) return undefined
      const days = dueDays(row, at)
      const amount = isRenewed ? renewedAmount(row) : undefined
      if (amount === undefined) {
        const out = book(row, coin, days, at, { how: 'matured', penalty: '0', next_id: null })
        await storeBooked(context, tx, [out])
        await notices.notify(tx, row.uid, paidOut(row, coin.code))
        return [out.after]
      }
      const product = await context.store.product(row.product_id, tx)
      if (product?.sale !== 'open' || !isNoWorse(product, row)) throw new ApiProblem('sale_closed')
      if (coin.status !== 1) throw new ApiProblem('currency_closed')
      // The clock of the new order goes on where that of the old one ends.
      const agreed = agreedBy(product, amount, coin.scale, row.ends_at)
      const { kind, currency_id, daily, locked_days, penalty, risk, simulated, terms_version } = product
      const deal = { product_id: product.id, kind, currency_id, daily, locked_days, penalty, risk, simulated, terms_version }
      const next = await context.store.add(tx, { uid: row.uid, ...deal, ...agreed, renewal: row.renewal })
      const out = book(row, coin, days, at, { how: 'renewed', penalty: '0', next_id: next.id })
      await storeBooked(context, tx, [out])
      if (!(await context.store.take(tx, product, next.amount))) throw new ApiProblem('sold_out')
      await context.ledger.post(tx, locking(next, at))
      const figures = { amount: exact(next.amount), coin: coin.code }
      await notices.notify(tx, row.uid, { kind: 'mining_renewed', subject: next.id, figures })
      return [out.after, next]
    })
  }
  const renewing = dueRows(context, {
    name: 'mining_renew',
    source: dueTable(database, {
      table: 'mining_order',
      due: 'due_at',
      where: sql`status = 'running' and renewal <> 'none' and due_at = ends_at`,
    }),
    everyMs,
    atOnce: 4,
    async each(row) {
      const done = await mature(row, true).catch((error) => {
        if (error instanceof ApiProblem) return mature(row, false)
        throw error
      })
      for (const order of done ?? []) told(order, order.id === row.id ? 'update' : 'insert')
    },
  })

  const reminding = dueRows(context, {
    name: 'mining_remind',
    source: dueTable(database, {
      table: 'mining_order',
      due: 'remind_at',
      where: sql`status = 'running' and renewal <> 'none' and not reminded`,
    }),
    everyMs,
    together: togetherMost,
    prepare: () => (order) => coins.one(order.currency_id),
    async run(tx, works) {
      const news = works.map(
        ({ row: { uid, id, amount }, found: { code } }): CustomerNotice => ({
          uid,
          kind: 'mining_renews',
          subject: id,
          figures: { amount: exact(amount), coin: code },
        }),
      )
      await notices.notifyAll(tx, news)
      return context.store.remind(
        tx,
        works.map(({ row }) => row),
      )
    },
    after(orders) {
      for (const order of orders) told(order, 'update')
    },
  })
  return [reminding, paying, renewing] as const
}
