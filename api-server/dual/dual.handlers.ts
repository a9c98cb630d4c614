import Big from 'big.js'
import type { Currency } from '#api-server/currency/currency.reads.ts'
import { agreedAt, leftOf, mustBeOnSale, progressOf, saleState, sharesFor } from '#api-server/dual/dual.rules.ts'
import type { DualOrder, DualProduct, DualStore, OrderFilter } from '#api-server/dual/dual.store.ts'
import type { ProductPorts } from '#api-server/kit/module.ts'
import type { DualOrderRow, DualProductRow, DualType, dualCalls } from '#contract/calls/dual.calls.ts'
import type { CallInput } from '#contract/contract.ts'
import { dualDays } from '#contract/functions/dual.days.function.ts'
import { dualRate } from '#contract/functions/dual.rate.function.ts'
import { plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { RowChange } from '#contract/topic.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers } from '#server-kit/http/http.ts'
import { checkTimeRange } from '#server-kit/http/list-bounds.ts'
import { exportOf, exportPage, timeCell } from '#server-kit/ops/csv.rules.ts'
import type { Texts } from '#server-kit/ops/texts.ts'

export interface DualContext extends ProductPorts {
  store: DualStore
  /** After the commit: tells the customer's apps of an order and of the balance that it moved. */
  announce: (order: DualOrder, change: RowChange) => void
  /** After the commit: tells all apps that a product, its sale or its terms are others. */
  productsChanged: () => void
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

const columns = [
  ...['column_id', 'column_time', 'column_market', 'direction', 'shares', 'deposit', 'column_amount_coin', 'linked', 'yearly', 'days'],
  ...['matures', 'column_state', 'column_settle_price', 'column_paid', 'column_paid_coin'],
] as const

function filterOf(filter: CallInput<'dual.exportList'>): OrderFilter {
  checkTimeRange(filter)
  return filter
}

/** Handlers of the calls of customers. @param texts words of the file of orders */
export function dualHandlers(context: DualContext, texts: Texts): Handlers<typeof dualCalls> {
  const { store, ledger, once, proofs, balances, clock, announce } = context

  /** @throws ApiProblem('product_unknown') */
  async function productOf(id: number, tx?: Tx): Promise<DualProduct> {
    const found = await store.product(id, tx)
    if (!found) throw new ApiProblem('product_unknown', { field: 'id' })
    return found
  }
  /** Why shares could not be taken. */
  async function refusal(tx: Tx, { id, terms_version }: DualProduct, uid: number, num: number): Promise<ApiProblem> {
    const product = await productOf(id, tx)
    if (product.terms_version !== terms_version) return new ApiProblem('terms_changed')
    if (product.sale !== 'open') return new ApiProblem('sale_closed', { field: 'id' })
    if (num > leftOf(product)) return new ApiProblem('sold_out', { field: 'num' })
    const left = Math.max(0, product.limit_each - (await store.held(uid, id, tx)))
    return new ApiProblem('purchase_limit', { field: 'num', values: { left: String(left) } })
  }

  return {
    'dual.index': async ({ base, type, page, size }) => {
      const coins = await coinsOf(context)
      const coin = base === undefined ? undefined : [...coins.values()].find(({ code }) => code === base)
      if (base !== undefined && !coin) return { list: [], total: 0 }
      const { rows, total } = await store.products(clock.now(), { base: coin?.id, type }, { page, size })
      return { list: rows.map((row) => productRow(context, coins, row)), total }
    },

    'dual.coins': async () => {
      const coins = await coinsOf(context)
      return { list: (await store.coins(clock.now())).map(({ base_id, n }) => ({ base: coinOf(coins, base_id).code, products: n })) }
    },

    'dual.detail': async ({ id }, { user: { uid } }) => {
      const coins = await coinsOf(context)
      const product = await productOf(id)
      const { available } = await balances.balance(uid, account, depositedIn(product))
      const row = productRow(context, coins, product)
      const held = await store.held(uid, id)
      const most = row.state === 'on_sale' ? Math.max(0, Math.min(row.remaining, row.limit - held)) : 0
      return { ...row, available: text(available), held, most, affords: sharesFor(available, row.share) }
    },

    'dual.buyDual': async (input, caller) => {
      const { uid } = caller.user
      // Read before the order is made: a read that failed afterwards would hide that it was.
      const coins = await coinsOf(context)
      // A repeated call answers what the first one did, which is no news.
      let news: DualOrder | undefined
      const answer = await once.run(caller, { call: 'dual.buyDual', input }, async (tx) => {
        await proofs.lock(tx, uid)
        const product = await productOf(input.id, tx)
        const isShown = input.terms_version === undefined || input.terms_version === product.terms_version
        if (!isShown) throw new ApiProblem('terms_changed')
        if (input.type !== product.type) throw new ApiProblem('parameter_error', { field: 'type' })
        const [base, quote, currency] = [coinOf(coins, product.base_id), coinOf(coins, product.quote_id), depositedIn(product)]
        if (input.currency_id !== currency || base.status !== 1 || quote.status !== 1)
          throw new ApiProblem('currency_closed', { field: 'currency_id' })
        const at = clock.now()
        mustBeOnSale(product, at)
        if (!(await store.take(tx, product, uid, input.num))) throw await refusal(tx, product, uid, input.num)
        const { id, terms_version, type, symbol, base_id, quote_id, share, linked, yearly, matures_at } = product
        const agreed = agreedAt(product, input.num, { base: base.scale, quote: quote.scale }, at)
        const order = await store.add(tx, {
          uid,
          product_id: id,
          terms_version,
          type,
          symbol,
          base_id,
          quote_id,
          share,
          num: input.num,
          linked,
          yearly,
          ...agreed,
          bought_at: at,
          due_at: matures_at,
        })
        await ledger.post(tx, {
          kind: 'dual_buy',
          source: `dual:${order.id}`,
          uid,
          at,
          postings: [
            { account: { uid, kind: account, part: 'available' }, currency, amount: `-${agreed.amount}` },
            { account: { platform: 'pool_dual' }, currency, amount: agreed.amount },
          ],
        })
        news = order
        return orderRow(context, coins, order)
      })
      if (news) announce(news, 'insert')
      return answer
    },

    'dual.dualList': async ({ page, size, ...filter }, { user }) => {
      const { rows, total } = await store.find(user.uid, filterOf(filter), { page, size })
      const coins = await coinsOf(context)
      return { list: rows.map((row) => orderRow(context, coins, row)), total }
    },

    'dual.exportList': async (filter, { user, lang }) => {
      const { rows } = await store.find(user.uid, filterOf(filter), exportPage)
      const coins = await coinsOf(context)
      const say = (key: string) => texts.say(lang, key)
      const list = rows.map((row) => orderRow(context, coins, row))
      return exportOf('tessera-dual', clock.now(), list, {
        titles: columns.map(say),
        line: (row) => [
          ...[row.id, timeCell(row.bought), row.name, texts.say(lang, `type_${row.type}`, { coin: row.currency_code }), row.num],
          ...[row.number, row.currency_code, row.linked, row.yearly, row.days, timeCell(row.matures), say(`state_${row.status}`)],
          ...[row.settle_price, ...(row.outcome ? [row[`${row.outcome}_amount`], row[row.outcome]] : ['', ''])],
        ],
      })
    },

    'dual.getOrderDetail': async ({ id }, { user }) => {
      const row = await store.order(user.uid, id)
      if (!row) throw new ApiProblem('order_unknown', { field: 'id' })
      return {
        ...orderRow(context, await coinsOf(context), row),
        settle_tick: row.settle_tick_id === null ? null : await context.reads.proven(row.settle_tick_id),
        log_end: row.log_end,
      }
    },
  }
}
