import Big from 'big.js'
import { groupMost } from '#api-server/kit/acceptance.ts'
import type { ProductPorts } from '#api-server/kit/module.ts'
import { cancellation, orders } from '#api-server/spot/accept.ts'
import { type Ask, bandOf, decideOrder, isOpen, type SpotMarket } from '#api-server/spot/market.rules.ts'
import type { Markets } from '#api-server/spot/markets.ts'
import type { Matcher } from '#api-server/spot/matcher.ts'
import { createMoves } from '#api-server/spot/moves.ts'
import { fillRow, orderRow } from '#api-server/spot/row.rules.ts'
import { spotAccount } from '#api-server/spot/settle.ts'
import type { NewOrder, SpotOrder, SpotStore } from '#api-server/spot/spot.store.ts'
import type { c2cCalls } from '#contract/calls/c2c.calls.ts'
import type { CallInput, CallOutput } from '#contract/contract.ts'
import { spotWorst } from '#contract/functions/spot.worst.function.ts'
import { exact, plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import { typedAmount } from '#contract/rules/amount.rules.ts'
import { createIds } from '#server-kit/db/bulk.ts'
import type { Handlers } from '#server-kit/http/http.ts'
import { checkTimeRange, offsetOf } from '#server-kit/http/list-bounds.ts'
import { exportOf, exportPage, timeCell } from '#server-kit/ops/csv.rules.ts'
import type { Texts } from '#server-kit/ops/texts.ts'

export interface SpotContext
  extends Pick<ProductPorts, 'ledger' | 'balances' | 'once' | 'proofs' | 'clock' | 'trading' | 'simulated' | 'changed'> {
  store: SpotStore
  matcher: Matcher
  markets: Markets
  lastPrice: (symbol: string) => string | undefined
  /** Words of the file of orders. */
  texts: Texts
  /** Hands orders to the node that matches. @returns each as it is once it was matched or cancelled, or as it stands after five seconds */
  settled: (ids: readonly number[]) => Promise<SpotOrder[]>
}

/** Each may be of as many orders as a customer may have open. */
const cancelAllMost = 16
const columns = [
  ...['id', 'time', 'market', 'side', 'kind', 'price', 'amount', 'amount_coin', 'filled', 'average', 'value', 'fee', 'fee_coin', 'state'],
] as const

const fieldOf = { price_wrong: 'target_price', price_out_of_band: 'target_price' } as const
/** An amount as it was typed; the steps of the market are checked apart. */
function read(text: string | undefined, problem: 'price_wrong' | 'amount_wrong', field: string): string | undefined {
  if (text === undefined) return undefined
  const amount = typedAmount(text)
  if (!amount?.gt(0)) throw new ApiProblem(problem, { field })
  return plain(amount)
}

/** The answer stored for a key before the book has decided: the orders that the call is about. */
interface Stored {
  'c2c.trade': { id: number }
  'c2c.cancel': { id: number }
  'c2c.move': { id: number; price: string; before?: string; waits: boolean }
  'c2c.cancelAll': { ids: number[] }
}
/** Answers by what is stored: the orders as they stand once the book has decided. @param known orders that were read already @throws ApiProblem */
export type SpotAnswers = {
  [N in keyof Stored]: (stored: Stored[N], known?: readonly SpotOrder[]) => Promise<CallOutput<N>>
}

export function spotHandlers(context: SpotContext): { handlers: Handlers<typeof c2cCalls>; answers: SpotAnswers } {
  const { store, balances, once, clock, trading, markets, changed } = context
  const ids = createIds(store.ids)
  const moves = createMoves(context)
  const rowOf = async (order: SpotOrder) => orderRow(await markets.one(order.symbol), order)

  function askOf(market: SpotMarket, input: CallInput<'c2c.trade'>): Ask {
    const [isBuy, isMarket] = [input.type === 'buy', input.tradeType === 'market']
    const tif = input.time_in_force
    if (isMarket && (tif === 'gtc' || tif === 'post_only')) throw new ApiProblem('parameter_error', { field: 'time_in_force' })
    if (isMarket && input.target_price !== undefined) throw new ApiProblem('parameter_error', { field: 'target_price' })
    const worst = read(input.worst_price, 'price_wrong', 'worst_price')
    const price = isMarket ? worst : read(input.target_price, 'price_wrong', 'target_price')
    const isWorse = !isMarket && price !== undefined && worst !== undefined && new Big(price).cmp(worst) === (isBuy ? 1 : -1)
    if (isWorse) throw new ApiProblem('price_wrong', { field: 'worst_price' })
    const amount = read(input.amount, 'amount_wrong', 'amount')!
    const isBudget = isMarket && isBuy
    if (isBudget && typedAmount(amount, market.quote.scale) === undefined) throw new ApiProblem('amount_wrong', { field: 'amount' })
    return { isBuy, isMarket, price, quantity: isBudget ? undefined : amount, budget: isBudget ? amount : undefined }
  }

  const accept = once.grouped(orders(context))
  async function trade(input: CallInput<'c2c.trade'>, caller: Parameters<Handlers<typeof c2cCalls>['c2c.trade']>[1]) {
    const { uid } = caller.user
    const { market, closed } = await markets.byCoins(input.currency_id, input.legal_id)
    const ask = askOf(market, input)
    const { symbol } = market
    const id = await ids.take()
    const worstOf = (price: string, tolerance: string) => spotWorst.run({ side: input.type, price, tolerance, tick: market.tick })
    function decide(): NewOrder {
      if (closed) throw new ApiProblem('currency_closed', { field: closed })
      const { terms, version } = trading.terms('spot', symbol)
      if (input.terms_version !== undefined && input.terms_version !== version) throw new ApiProblem('terms_changed')
      trading.mustBeOpen(symbol)
      const last = ask.isMarket ? trading.freshPrice(symbol).price : context.lastPrice(symbol)
      const outcome = decideOrder(market, terms, ask, last)
      const field = ask.isMarket && outcome.startsWith('price_') ? 'worst_price' : (fieldOf[outcome as keyof typeof fieldOf] ?? 'amount')
      if (outcome !== 'asked') throw new ApiProblem(outcome, outcome === 'price_stale' ? {} : { field })
      return {
        id,
        uid,
        symbol,
        side: input.type,
        kind: input.tradeType,
        time_in_force: input.time_in_force ?? (ask.isMarket ? 'ioc' : 'gtc'),
        price: ask.isMarket ? null : ask.price!,
        worst: ask.isMarket ? (ask.price ?? worstOf(last!, terms.tolerance)) : null,
        quantity: ask.quantity ?? null,
        budget: ask.budget ?? null,
        maker_rate: terms.maker_rate,
        taker_rate: terms.taker_rate,
        terms_version: version,
        created_at: clock.now(),
      }
    }
    const { answer, effect: matched } = await accept(caller, input, { uid, market, side: input.type, decide })
    if (!matched) changed(uid)
    return answers['c2c.trade'](answer, matched && [matched])
  }

  const cancelOne = once.grouped(
    cancellation(context, {
      call: 'c2c.cancel',
      most: groupMost,
      find: (tx, asked: readonly { uid: number; id: number }[]) =>
        store.byIds(
          tx,
          asked.map(({ id }) => id),
        ),
      choose({ uid, id }, found) {
        const order = found.find((one) => one.id === id)
        if (order?.uid !== uid) throw new ApiProblem('order_unknown', { field: 'id' })
        if (!isOpen(order.status)) throw new ApiProblem('state_wrong', { field: 'id' })
        return [order]
      },
      answer: ([id]) => ({ id: id! }),
    }),
  )
  const cancelAll = once.grouped(
    cancellation(context, {
      call: 'c2c.cancelAll',
      most: cancelAllMost,
      find: (tx, asked: readonly { uid: number; symbol: string | undefined }[]) =>
        store.openOf(
          tx,
          asked.map(({ uid }) => uid),
        ),
      choose: ({ uid, symbol }, found) => found.filter((one) => one.uid === uid && (symbol === undefined || one.symbol === symbol)),
      answer: (ids) => ({ ids }),
    }),
  )

  const answers: SpotAnswers = {
    async 'c2c.trade'({ id }, known) {
      const [order] = known ?? (await context.settled([id]))
      if (order!.status === 'rejected' && order!.reason) throw new ApiProblem(order!.reason as 'order_not_filled')
      return rowOf(order!)
    },
    async 'c2c.cancel'({ id }, known) {
      const [order] = known ?? (await context.settled([id]))
      // It was filled before its turn came.
      if (order!.status === 'filled') throw new ApiProblem('state_wrong', { field: 'id' })
      return rowOf(order!)
    },
    async 'c2c.move'({ id, price, before, waits }) {
      const [order] = waits ? await context.settled([id]) : [await store.one(id)]
      const isAt = (limit: string) => new Big(order!.price!).eq(limit)
      // At another limit than both it was moved once more since the call that is repeated.
      const stayed = order!.moving === null && !isAt(price) && (before === undefined || isAt(before))
      if (stayed && !isOpen(order!.status)) throw new ApiProblem('state_wrong', { field: 'id' })
      // Of the open ones only a post-only order may stay where it was; another one was moved back there since.
      if (stayed && order!.time_in_force === 'post_only') throw new ApiProblem('order_would_match', { field: 'price' })
      return rowOf(order!)
    },
    async 'c2c.cancelAll'({ ids }, known) {
      const orders = known ?? (await context.settled(ids))
      return { cancelled: orders.filter(({ status }) => status === 'cancelled').length }
    },
  }

  const handlers: Handlers<typeof c2cCalls> = {
    'c2c.trade': trade,
    'c2c.cancel': async (input, caller) => {
      const { answer, effect } = await cancelOne(caller, input, { uid: caller.user.uid, id: input.id })
      return answers['c2c.cancel'](answer, effect)
    },
    'c2c.move': async (input, caller) => {
      const { uid } = caller.user
      const price = read(input.price, 'price_wrong', 'price')!
      const found = await store.one(input.id)
      if (found?.uid !== uid) throw new ApiProblem('order_unknown', { field: 'id' })
      const { base, quote } = await markets.one(found.symbol)
      const { market, closed } = await markets.byCoins(base.id, quote.id)
      const stored = await once.run(caller, { call: 'c2c.move', input }, async (tx) => {
        const asked = await moves.ask(tx, { id: input.id, uid, market, isClosed: closed !== undefined, price })
        return { id: input.id, price, ...asked }
      })
      if (stored.waits) changed(uid)
      return answers['c2c.move'](stored)
    },
    'c2c.cancelAll': async (input, caller) => {
      if (input.symbol !== undefined) await markets.one(input.symbol)
      const { answer, effect } = await cancelAll(caller, input, { uid: caller.user.uid, symbol: input.symbol })
      return answers['c2c.cancelAll'](answer, effect)
    },
    'c2c.orderList': async ({ page, size, status, symbol, type, from, to }, { user }) => {
      checkTimeRange({ from, to })
      const { rows, total } = await store.find(user.uid, { status, symbol, type, from, to }, offsetOf({ page, size }))
      return { list: await Promise.all(rows.map(rowOf)), total }
    },
    'c2c.exportOrders': async ({ status, symbol, type, from, to }, { user, lang }) => {
      checkTimeRange({ from, to })
      const { rows } = await store.find(user.uid, { status, symbol, type, from, to }, exportPage)
      const say = (key: string) => context.texts.say(lang, key)
      return exportOf('tessera-orders', clock.now(), await Promise.all(rows.map(rowOf)), {
        titles: columns.map((column) => say(`column_${column}`)),
        line: (row) => [
          ...[row.id, timeCell(row.created), row.name, say(`side_${row.type}`), say(`kind_${row.tradeType}`), row.price ?? ''],
          ...[row.quantity ?? row.budget ?? '', row.quantity === null ? row.quote : row.base, row.filled, row.average ?? '', row.value],
          ...[row.fee, row.fee_code, say(`state_${row.status}`)],
        ],
      })
    },
    'c2c.order': async ({ id }, { user }) => {
      const order = await store.one(id)
      if (order?.uid !== user.uid) throw new ApiProblem('order_unknown', { field: 'id' })
      return rowOf(order)
    },
    'c2c.fills': async ({ page, size, order_id, symbol, from, to }, { user }) => {
      checkTimeRange({ from, to })
      const { rows, total } = await store.fills(user.uid, { order_id, symbol, from, to }, offsetOf({ page, size }))
      return { list: await Promise.all(rows.map(async (row) => fillRow(await markets.one(row.symbol), row, user.uid))), total }
    },
    'c2c.detail': async ({ symbol }, { user }) => {
      const market = await markets.one(symbol)
      const { base, quote, tick, step } = market
      const { terms, version } = trading.terms('spot', symbol)
      const [last, hours] = [context.lastPrice(symbol), trading.hours(symbol)]
      const band = last === undefined ? undefined : bandOf(market, last, terms.price_band)
      const [ofBase, ofQuote] = await Promise.all([base, quote].map((coin) => balances.balance(user.uid, spotAccount, coin.id)))
      const names = (one: SpotMarket) => ({ symbol: one.symbol, name: one.name, base: one.base.code, quote: one.quote.code })
      return {
        ...names(market),
        currency_id: base.id,
        legal_id: quote.id,
        base_scale: base.scale,
        quote_scale: quote.scale,
        tick,
        step,
        price_scale: tick.split('.')[1]?.length ?? 0,
        size_scale: step.split('.')[1]?.length ?? 0,
        maker_rate: terms.maker_rate,
        taker_rate: terms.taker_rate,
        value_min: terms.value_min,
        size_max: terms.size_max,
        price_band: terms.price_band,
        price_low: band?.low ?? null,
        price_high: band?.high ?? null,
        last: last === undefined ? null : exact(last),
        base_available: exact(ofBase!.available),
        base_frozen: exact(ofBase!.frozen),
        quote_available: exact(ofQuote!.available),
        quote_frozen: exact(ofQuote!.frozen),
        open: hours.open,
        halted: hours.halt !== undefined,
        changes_at: hours.next?.at ?? null,
        simulated: context.simulated,
        terms_version: version,
        tolerance: terms.tolerance,
        open_orders: (await store.openCounts(undefined, [user.uid])).get(user.uid) ?? 0,
        markets: (await markets.list()).map(names),
      }
    },
  }
  return { handlers, answers }
}
