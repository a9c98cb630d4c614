import type { Currency } from '#api-server/currency/currency.reads.ts'
import type { ProductPorts } from '#api-server/kit/module.ts'
import type { LedgerEvent } from '#api-server/ledger/ledger.ts'
import { dueOf } from '#api-server/mining/mining.rules.ts'
import type { MiningIncome, MiningOrder, MiningStore } from '#api-server/mining/mining.store.ts'
import type { MiningEnd } from '#contract/calls/earning/mining.calls.ts'
import { exact, less } from '#contract/money.ts'

import type { RowChange } from '#contract/topic.ts'
import type { Tx } from '#server-kit/db/db.ts'

export interface MiningContext extends ProductPorts {
  store: MiningStore
  /** After the commit: tells the customer's apps of an order and of the balance that it moved. */
  told(order: MiningOrder, change: RowChange): void
  /** After the commit: tells all apps that a product, its sale or its terms are others. */
  productsChanged(): void
}

/** Amounts are taken from this account and paid to it. */
export const account = 'change'

/** Payments of a locked order, and the order as it is then. */
export interface Booked {
  before: MiningOrder
  after: MiningOrder
  events: LedgerEvent[]
  incomes: MiningIncome[]
}
export interface Ending {
  how: MiningEnd
  /** Kept of the principal. */
  penalty: string
  next_id: number | null
}

function paying(
  kind: 'mining_income' | 'mining_return' | 'mining_close',
  source: string,
  uid: number,
  paid: { currency: number; amount: string; at: number },
): LedgerEvent {
  const { currency, amount, at } = paid
  return {
    kind,
    source,
    uid,
    at,
    postings: [
      { account: { platform: 'pool_mining' }, currency, amount: `-${amount}` },
      { account: { uid, kind: account, part: 'available' }, currency, amount },
    ],
  }
}

/** Takes the principal of an order from the customer. */
export const locking = ({ id, uid, currency_id: currency, amount }: MiningOrder, at: number): LedgerEvent => ({
  kind: 'mining_buy',
  source: `mining:${id}`,
  uid,
  at,
  postings: [
    { account: { uid, kind: account, part: 'available' }, currency, amount: `-${exact(amount)}` },
    { account: { platform: 'pool_mining' }, currency, amount: exact(amount) },
  ],
})

/**
 * Books days of an order, each as an event of its own, and its end.
 * @param row locked
 * @param days the next ones, in their order
 * @param at ms UTC
 */
export function book(row: MiningOrder, { id: currency }: Pick<Currency, 'id'>, days: readonly number[], at: number, end?: Ending): Booked {
  const { id, uid } = row
  const income = exact(row.income)
  const events = days.map((day) => paying('mining_income', `mining:${id}:${day}`, uid, { currency, amount: income, at }))
  const incomes = days.map((day) => ({
    order_id: id,
    day,
    amount: income,
    due_at: dueOf(row, day),
    booked_at: Math.max(at, dueOf(row, day)),
  }))
  const paid_days = row.paid_days + days.length
  const after: MiningOrder = { ...row, paid_days, due_at: dueOf(row, paid_days + (end ? 0 : 1)), version: row.version + 1 }
  if (end) {
    const returned = less(row.amount, end.penalty)
    // A penalty can be the whole principal.
    if (returned !== '0')
      events.push(paying(end.how === 'early' ? 'mining_close' : 'mining_return', `mining:${id}`, uid, { currency, amount: returned, at }))
    Object.assign(after, { status: 'redeemed', how: end.how, closed_at: at, penalty_paid: end.penalty, next_id: end.next_id })
  }
  return { before: row, after, events, incomes }
}

/** Books what locked orders pay, in the transaction of the ledger. */
export async function storeBooked(context: MiningContext, tx: Tx, booked: readonly Booked[]): Promise<void> {
  await context.ledger.postAll(
    tx,
    booked.flatMap(({ events }) => events),
  )
  await context.store.addIncomes(
    tx,
    booked.flatMap(({ incomes }) => incomes),
  )
  await context.store.release(
    tx,
    booked.flatMap(({ before, after }) => (after.status === 'redeemed' ? [before] : [])),
  )
  await context.store.move(tx, booked)
}
