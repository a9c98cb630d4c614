import type { Proofs } from '#api-server/account/proof.ts'
import { quoteIn } from '#api-server/currency/currency.reads.ts'
import type { ProductPorts } from '#api-server/kit/module.ts'
import { freeze, type LedgerEvent, release } from '#api-server/ledger/ledger.ts'
import type { Coin, OtcOrder, OtcStore } from '#api-server/otc/otc.store.ts'
import type { OtcOrderRow } from '#contract/calls/otc.calls.ts'
import { exact } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { RowChange } from '#contract/topic.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Texts } from '#server-kit/ops/texts.ts'

/** The services that the whole module needs. */
export interface OtcContext extends Pick<ProductPorts, 'database' | 'ledger' | 'balances' | 'once' | 'coins' | 'notices' | 'clock'> {
  store: OtcStore
  proofs: Pick<Proofs, 'lock'>
  /** Limits of each identity level: most of one order in fiat, in USD. */
  limits: () => Promise<readonly { level: number; order_limit_usd: string }[]>
  /** Words of the file of orders. */
  texts: Texts
  /** After the commit: sends an order to the customer's apps, and notifies the open pages of the queue. */
  announce: (order: OtcOrder, change: RowChange) => void
}

const account = 'change'

export type Coins = ReadonlyMap<number, Coin>
/** Currencies by id. In a transaction they are read by it: the embedded database has one connection. */
export const coinsOf = async ({ store, coins }: Pick<OtcContext, 'store' | 'coins'>, tx?: Tx): Promise<Coins> =>
  tx ? store.coins(tx) : new Map((await coins.list()).map((coin) => [coin.id, coin]))
/** @throws ApiProblem('currency_unknown') */
export function coinOf(coins: Coins, id: number): Coin {
  const found = coins.get(id)
  if (!found) throw new ApiProblem('currency_unknown', { field: 'currency_id' })
  return found
}
/** All offers are priced in one coin. @throws ApiProblem('currency_unknown') */
export function quoteCoin(coins: Coins): Coin {
  const found = quoteIn(coins.values())
  if (!found) throw new ApiProblem('currency_unknown', { field: 'currency_id' })
  return found
}

export const balanceOf = async ({ balances }: OtcContext, uid: number, currency: number): Promise<string> =>
  exact((await balances.balance(uid, account, currency)).available)

/** Members of a deal, as its rows name them. */
export const dealOf = (
  coins: Coins,
  { side, currency_id, quote_id, price }: Pick<OtcOrder, 'side' | 'currency_id' | 'quote_id' | 'price'>,
) => ({ side, currency_code: coinOf(coins, currency_id).code, quote_code: coinOf(coins, quote_id).code, price: exact(price) })

export function orderRow(coins: Coins, order: OtcOrder): OtcOrderRow {
  const { id, offer_id, status, reason, version } = order
  return {
    id,
    offer_id,
    ...dealOf(coins, order),
    amount: exact(order.amount),
    total: exact(order.total),
    status,
    reason,
    created: order.created_at,
    changed: order.changed_at,
    version,
  }
}

/** Returns the amounts that the customer pays and gets. The house is on the other side, as it is in exchanges. */
function legs({ side, currency_id, quote_id, amount, total }: OtcOrder) {
  const [coin, quote] = [
    { currency: currency_id, amount: exact(amount) },
    { currency: quote_id, amount: exact(total) },
  ]
  return side === 'buy' ? { paid: quote, got: coin } : { paid: coin, got: quote }
}

/** The event of the ledger by which an order comes into a state. */
export function eventOf(order: OtcOrder, at: number): LedgerEvent {
  const { uid, status } = order
  const { paid, got } = legs(order)
  const event = { source: `otc:${order.id}`, uid, at }
  if (status === 'reviewing') return { ...event, kind: 'otc_order', postings: freeze(uid, account, paid.currency, paid.amount) }
  if (status !== 'settled') return { ...event, kind: 'otc_release', postings: release(uid, account, paid.currency, paid.amount) }
  return {
    ...event,
    kind: 'otc_settle',
    postings: [
      { account: { uid, kind: account, part: 'frozen' }, currency: paid.currency, amount: `-${paid.amount}` },
      { account: { platform: 'convert' }, currency: paid.currency, amount: paid.amount },
      { account: { platform: 'convert' }, currency: got.currency, amount: `-${got.amount}` },
      { account: { uid, kind: account, part: 'available' }, currency: got.currency, amount: got.amount },
    ],
  }
}
