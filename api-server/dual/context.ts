import Big from 'big.js'
import type { Currency } from '#api-server/currency/currency.reads.ts'
import { leftOf, progressOf, saleState } from '#api-server/dual/dual.rules.ts'
import type { DualOrder, DualProduct, DualStore } from '#api-server/dual/dual.store.ts'
import type { ProductPorts } from '#api-server/kit/module.ts'
import type { DualOrderRow, DualProductRow, DualType } from '#contract/calls/dual.calls.ts'
import { dualDays } from '#contract/functions/dual.days.function.ts'
import { dualRate } from '#contract/functions/dual.rate.function.ts'
import { plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { RowChange } from '#contract/topic.ts'

/** Parts of the server that dual investment uses. */
export type DualPorts = Pick<
  ProductPorts,
  | 'database'
  | 'clock'
  | 'log'
  | 'ledger'
  | 'balances'
  | 'once'
  | 'notices'
  | 'coins'
  | 'reads'
  | 'trading'
  | 'proofs'
  | 'changed'
  | 'rowChanged'
> & { registry?: ProductPorts['registry'] | undefined }
export interface DualContext extends DualPorts {
  store: DualStore
  /** After the commit: tells the customer's apps of an order and of the balance that it moved. */
  told: (order: DualOrder, change: RowChange) => void
}

/** Deposits are taken from this account and paid back to it. */
export const account = 'change'
export const text = (amount: string): string => plain(new Big(amount))

export type Coins = ReadonlyMap<number, Currency>
export const coinsOf = async ({ coins }: Pick<DualContext, 'coins'>): Promise<Coins> =>
  new Map((await coins.list()).map((coin) => [coin.id, coin]))
/** @throws ApiProblem('currency_unknown') */
export function coinOf(coins: Coins, id: number): Currency {
  const found = coins.get(id)
  if (!found) throw new ApiProblem('currency_unknown', { field: 'currency_id' })
  return found
}

interface Deal {
  type: DualType
  base_id: number
  quote_id: number
}
/** Id of the deposited coin. */
export const depositedIn = ({ type, base_id, quote_id }: Deal): number => (type === 'call' ? base_id : quote_id)

/** Members that products and orders have. @param days holding days */
function dealOf({ trading }: DualContext, coins: Coins, row: DualProduct | DualOrder, days: number, matures: number) {
  const { name, tick } = trading.instrument(row.symbol)
  const [base, quote, deposit] = [coinOf(coins, row.base_id), coinOf(coins, row.quote_id), coinOf(coins, depositedIn(row))]
  return {
    terms_version: row.terms_version,
    type: row.type,
    symbol: row.symbol,
    name,
    base: base.code,
    quote: quote.code,
    tick,
    base_scale: base.scale,
    quote_scale: quote.scale,
    currency_id: deposit.id,
    currency_code: deposit.code,
    scale: deposit.scale,
    share: text(row.share),
    linked: text(row.linked),
    yearly: text(row.yearly),
    days,
    rate: dualRate.run({ yearly: text(row.yearly), days }),
    matures,
    day: new Date(matures).toISOString().slice(0, 10),
  }
}

export function productRow(context: DualContext, coins: Coins, row: DualProduct): DualProductRow {
  const now = context.clock.now()
  return {
    id: row.id,
    ...dealOf(context, coins, row, dualDays.run({ bought: now, matures: row.matures_at }), row.matures_at),
    starts: row.starts_at,
    ends: row.ends_at,
    total: row.total,
    remaining: leftOf(row),
    progress: progressOf(row),
    limit: row.limit_each,
    state: saleState(row, now),
    risk: row.risk,
    simulated: row.simulated,
  }
}

export function orderRow(context: DualContext, coins: Coins, row: DualOrder): DualOrderRow {
  return {
    id: row.id,
    product_id: row.product_id,
    ...dealOf(context, coins, row, row.days, row.due_at),
    num: row.num,
    number: text(row.amount),
    bought: row.bought_at,
    status: row.status,
    base_amount: text(row.base_amount),
    quote_amount: text(row.quote_amount),
    outcome: row.outcome,
    settle_price: row.settle_price,
    settled: row.outcome && row.due_at,
    booked: row.booked_at,
    version: row.version,
  }
}
