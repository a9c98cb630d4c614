import type { Currency } from '#api-server/currency/currency.reads.ts'
import { account, book, locking, type MiningContext, storeBooked } from '#api-server/mining/booking.ts'
import { agreedBy, daysBy, dueDays, dueOf, leftOf, progressOf, redeemed, saleState } from '#api-server/mining/mining.rules.ts'
import type { MiningOrder, MiningProduct } from '#api-server/mining/mining.store.ts'
import type { MiningOrderRow, MiningProductRow, miningCalls } from '#contract/calls/earning/mining.calls.ts'
import { exact, isLess, less, product as times } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers } from '#server-kit/http/http.ts'
import { checkTimeRange } from '#server-kit/http/list-bounds.ts'

/** Members that products and orders have. */
const dealOf = (row: MiningProduct | MiningOrder, { id, code, scale }: Currency) => ({
  kind: row.kind,
  terms_version: row.terms_version,
  currency_id: id,
  currency_code: code,
  scale,
  daily: exact(row.daily),
  days: row.locked_days,
  penalty: exact(row.penalty),
  risk: row.risk,
  simulated: row.simulated,
})

function productRow(row: MiningProduct, currency: Currency): MiningProductRow {
  return {
    id: row.id,
    ...dealOf(row, currency),
    least: exact(row.least),
    most: exact(row.most),
    total: exact(row.capacity),
    remaining: leftOf(row),
    progress: progressOf(row),
    state: saleState(row),
  }
}

/** An order as its calls answer it. @param now ms UTC */
export function orderRow(row: MiningOrder, currency: Currency, now: number): MiningOrderRow {
  const isRunning = row.status === 'running'
  return {
    id: row.id,
    mid: row.product_id,
    ...dealOf(row, currency),
    amount: exact(row.amount),
    income: exact(row.income),
    estimate: times(row.income, String(row.locked_days)),
    paid_days: row.paid_days,
    earned: times(row.income, String(row.paid_days)),
    remaining_days: row.locked_days - (isRunning ? daysBy(row, now) : row.paid_days),
    bought: row.bought_at,
    next_payment: isRunning ? row.due_at : null,
    ends: row.ends_at,
    renewal: row.renewal,
    status: row.status,
    how: row.how,
    closed: row.closed_at,
    penalty_paid: row.penalty_paid && exact(row.penalty_paid),
    returned: row.penalty_paid && less(row.amount, row.penalty_paid),
    next_id: row.next_id,
    version: row.version,
  }
}

/** Handlers of the customers' calls; see mining.calls.ts. */
export function miningHandlers(context: MiningContext): Handlers<typeof miningCalls> {
  const { database, store, ledger, balances, once, coins, proofs, clock, told } = context
  const rowOf = (order: MiningOrder, currency: Currency) => orderRow(order, currency, clock.now())

  /** @throws ApiProblem('product_unknown') */
  async function productOf(id: number, tx?: Tx): Promise<MiningProduct> {
    const found = await store.product(id, tx)
    if (!found) throw new ApiProblem('product_unknown', { field: 'mid' })
    return found
  }
  /** @throws ApiProblem('order_unknown') */
  function known(found: MiningOrder | undefined): MiningOrder {
    if (!found) throw new ApiProblem('order_unknown', { field: 'id' })
    return found
  }

  return {
    'mining.productList': async ({ kind, page, size }) => {
      const { rows, total } = await store.products(kind, { page, size })
      const all = new Map((await coins.list()).map((one) => [one.id, one]))
      return { list: rows.map((row) => productRow(row, all.get(row.currency_id)!)), total }
    },

    'mining.product': async ({ mid }, { user: { uid } }) => {
      const found = await productOf(mid)
      const row = productRow(found, await coins.one(found.currency_id))
      const { available } = await balances.balance(uid, account, found.currency_id)
      const most = isLess(row.remaining, row.most) ? row.remaining : row.most
      const now = clock.now()
      const payments = Array.from({ length: row.days }, (_, at) => ({ day: at + 1, at: dueOf({ bought_at: now }, at + 1) }))
      const most_now = row.state === 'on_sale' ? most : '0'
      const [first, last] = [dueOf({ bought_at: now }, 1), dueOf({ bought_at: now }, row.days)]
      return { ...row, available: exact(available), most_now, first, last, seen: await store.hasOrdered(uid), payments }
    },

    'mining.orderList': async ({ page, size, ...filter }, { user: { uid } }) => {
      checkTimeRange(filter)
      const { rows, total } = await store.orders(uid, filter, { page, size })
      const all = new Map((await coins.list()).map((one) => [one.id, one]))
      return { list: rows.map((row) => rowOf(row, all.get(row.currency_id)!)), total }
    },

    'mining.order': async ({ id }, { user: { uid } }) => {
      const row = known(await store.order(uid, id))
      const incomes = (await store.incomes(id)).map(({ day, amount, due_at: at, booked_at: booked }) => ({
        day,
        at,
        amount: exact(amount),
        booked,
      }))
      const last = row.status === 'running' ? row.locked_days : row.paid_days
      const coming = Array.from({ length: last - row.paid_days }, (_, at) => row.paid_days + at + 1)
      const amount = exact(row.income)
      return {
        ...rowOf(row, await coins.one(row.currency_id)),
        incomes,
        coming: coming.map((day) => ({ day, at: dueOf(row, day), amount })),
      }
    },

    'mining.deposit': async (input, caller) => {
      const { uid } = caller.user
      // The coin of a product never changes; everything else is read again in the transaction.
      const currency = await coins.one((await productOf(input.mid)).currency_id, 'mid')
      // A repeated call answers what the first one did, which is no news.
      let news: MiningOrder | undefined
      const answer = await once.run(caller, { call: 'mining.deposit', input }, async (tx) => {
        await proofs.lock(tx, uid)
        const found = await productOf(input.mid, tx)
        if (input.terms_version !== undefined && input.terms_version !== found.terms_version) throw new ApiProblem('terms_changed')
        if (currency.status !== 1) throw new ApiProblem('currency_closed', { field: 'mid' })
        if (found.sale !== 'open') throw new ApiProblem('sale_closed', { field: 'mid' })
        const at = clock.now()
        const agreed = agreedBy(found, input.amount, currency.scale, at)
        if (!(await store.take(tx, found, agreed.amount))) {
          const now = await productOf(input.mid, tx)
          if (now.terms_version !== found.terms_version) throw new ApiProblem('terms_changed')
          throw now.sale === 'open' ? new ApiProblem('sold_out', { field: 'amount' }) : new ApiProblem('sale_closed', { field: 'mid' })
        }
        const { kind, currency_id, daily, locked_days, penalty, risk, simulated, terms_version } = found
        const deal = { product_id: found.id, kind, currency_id, daily, locked_days, penalty, risk, simulated, terms_version }
        const order = await store.add(tx, { uid, ...deal, ...agreed })
        await ledger.post(tx, locking(order, at))
        news = order
        return rowOf(order, currency)
      })
      if (news) told(news, 'insert')
      return answer
    },

    'mining.close': async ({ id }, caller) => {
      const { uid } = caller.user
      const currency = await coins.one(known(await store.order(uid, id)).currency_id)
      let news: MiningOrder | undefined
      const answer = await once.run(caller, { call: 'mining.close', input: { id } }, async (tx) => {
        await proofs.lock(tx, uid)
        const row = known(await store.locked(tx, uid, id))
        if (row.status !== 'running') throw new ApiProblem('state_wrong')
        const at = clock.now()
        const days = dueDays(row, at)
        const paid = row.paid_days + days.length
        // At the instant of the maturity nothing is kept any more.
        const end =
          paid === row.locked_days
            ? ({ how: 'matured', penalty: '0' } as const)
            : ({ how: 'early', penalty: redeemed(row, paid, currency.scale).penalty } as const)
        const booked = book(row, currency, days, at, { ...end, next_id: null })
        await storeBooked(context, tx, [booked])
        news = booked.after
        return rowOf(booked.after, currency)
      })
      if (news) told(news, 'update')
      return answer
    },

    'mining.renewal': async ({ id, renewal }, { user: { uid } }) => {
      const currency = await coins.one(known(await store.order(uid, id)).currency_id)
      const chosen = await database.transaction(async (tx) => {
        await proofs.lock(tx, uid)
        const row = known(await store.locked(tx, uid, id))
        if (row.status !== 'running' || clock.now() >= row.ends_at) throw new ApiProblem('state_wrong')
        return row.renewal === renewal ? row : store.choose(tx, row, renewal)
      })
      told(chosen, 'update')
      return rowOf(chosen, currency)
    },
  }
}
