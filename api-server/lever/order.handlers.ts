import Big from 'big.js'
import type { Currency } from '#api-server/currency/currency.reads.ts'
import { type Ahead, ahead } from '#api-server/idempotency/idempotency.ts'
import { groupMost } from '#api-server/kit/acceptance.ts'
import { closings, orders } from '#api-server/lever/accept.ts'
import { type Happened, instrumentOf, type LeverContext, type Quoted } from '#api-server/lever/context.ts'
import { isReached, limitRefusal, otherSide, readLots, readPart, readPrice, stopRefusal } from '#api-server/lever/lever.rules.ts'
import type { Close, Position } from '#api-server/lever/lever.store.ts'
import { createMoves } from '#api-server/lever/moves.ts'
import type { Order } from '#api-server/lever/position.ts'
import type { Rows } from '#api-server/lever/rows.ts'
import type { Tell } from '#api-server/lever/tell.ts'
import { allowed, type Change, type Trade } from '#api-server/lever/trade.ts'
import type { Nights } from '#api-server/lever/triggers/nights.ts'
import type { Reached } from '#api-server/lever/triggers/reached.ts'
import type { leverCalls } from '#contract/calls/lever.calls.ts'
import type { CallInput, CallOutput } from '#contract/contract.ts'
import { plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import { typedAmount } from '#contract/rules/amount.rules.ts'
import { priceAgeMsMax } from '#contract/trading.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Caller, Handlers } from '#server-kit/http/http.ts'
import { createGroup } from '#server-kit/ops/group.ts'

type Calls = Pick<
  typeof leverCalls,
  | 'lever.orderOpen'
  | 'lever.orderMove'
  | 'lever.close'
  | 'lever.closeAll'
  | 'lever.setStopPrice'
  | 'lever.closeAtOpening'
  | 'lever.margin'
  | 'lever.reverse'
  | 'lever.cancel'
>
interface OrderDeps {
  context: LeverContext
  trade: Trade
  tell: Tell
  nights: Nights
  rows: Rows
  reached: Reached
}

/** The handlers of customers' actions, announced once they are committed. Orders and closings that come at once are committed together. */
export function orderHandlers({ context, trade, tell, nights, rows, reached }: OrderDeps): Handlers<Calls> {
  const { database, store, once, coins, trading, reads, clock } = context
  const accept = once.grouped(orders({ context, trade, rows }))
  const close = once.grouped(closings({ context, trade, rows, reached }))
  const moves = createMoves(context, trade, reached)

  /** Rows that are asked for at once are read at once. */
  const read = createGroup(groupMost, async (ids: readonly number[]) => {
    const rows = new Map((await store.several(ids)).map((row) => [row.id, row]))
    return ids.map((id) => rows.get(id))
  })
  async function mine(uid: number, id: number): Promise<Position> {
    const row = await read(id)
    if (row?.uid !== uid) throw new ApiProblem('order_unknown', { field: 'id' })
    return row
  }
  /** @throws ApiProblem('order_unknown') */
  async function locked(tx: Tx, uid: number, id: number): Promise<Position> {
    const row = await store.lock(tx, id)
    if (row?.uid !== uid) throw new ApiProblem('order_unknown', { field: 'id' })
    return row
  }
  /** @throws ApiProblem order_unknown; state_wrong where a price has reached it and is about to act */
  async function standing(tx: Tx, uid: number, id: number): Promise<Position> {
    const row = await locked(tx, uid, id)
    reached.mustStand(row, await reached.ticks(tx, row.symbol))
    return row
  }
  const coinOf = (row: Pick<Position, 'symbol'>) => coins.quoteOf(trading.instrument(row.symbol).quote)
  /** Nights that are over are paid before anything else is done with a position. */
  const owed = (row: Position): Promise<Position> => nights.catchUp(row, clock.now())
  const optional = (text: string | undefined, field: string, tick?: string) =>
    text === undefined ? undefined : allowed(readPrice(text, field, tick))

  /** Once for its key; the final result is announced, and only when it happened now. */
  async function done<A>(caller: Caller, call: string, input: unknown, work: (tx: Tx) => Promise<{ happened: Happened[]; answer: A }>) {
    let happened: Happened[] = []
    const answer = await once.run(caller, { call, input }, async (tx) => {
      const did = await work(tx)
      happened = did.happened
      return did.answer
    })
    tell.happened(...happened)
    return answer
  }

  /** @throws ApiProblem for whatever of it does not stand by itself */
  async function orderOf(uid: number, input: CallInput<'lever.orderOpen'>): Promise<Order> {
    const instrument = instrumentOf(context, input.match_id)
    const { symbol, tick, base } = instrument
    const terms = trading.terms('contract', symbol)
    const coin = await coins.quoteOf(instrument.quote)
    if (input.legal_id !== undefined && input.legal_id !== coin.id) throw new ApiProblem('currency_unknown', { field: 'legal_id' })
    if (input.currency_id !== undefined && (await coins.one(input.currency_id)).code !== base)
      throw new ApiProblem('currency_unknown', { field: 'currency_id' })
    const lots = allowed(readLots(input.lots, terms.terms))
    if (!terms.terms.multiples.includes(input.multiple)) throw new ApiProblem('multiple_wrong', { field: 'multiple' })
    const isLimit = input.type === 'limit'
    if (isLimit && input.price === undefined) throw new ApiProblem('price_wrong', { field: 'price' })
    // A limit order waits by itself while the market is closed.
    if (isLimit && input.outside_hours === 'queue') throw new ApiProblem('parameter_error', { field: 'outside_hours' })
    const price = optional(input.price, 'price', isLimit ? tick : undefined)
    const worst = optional(input.worst_price, 'worst_price')
    if (isLimit && worst !== undefined) allowed(limitRefusal(input.side, price!, worst))
    return {
      uid,
      instrument,
      coin,
      terms,
      side: input.side,
      type: input.type,
      lots,
      multiple: input.multiple,
      price,
      // The limit says it.
      worst: isLimit ? undefined : worst,
      tp: optional(input.target_profit_price, 'target_profit_price', tick) ?? null,
      sl: optional(input.stop_loss_price, 'stop_loss_price', tick) ?? null,
    }
  }

  /** Where an order is filled: now, or undefined for one that waits, which is then counted from `since`. */
  async function wayOf(
    order: Pick<Order, 'instrument' | 'side' | 'type' | 'price'>,
    queues: boolean,
  ): Promise<{ now: Quoted | undefined; since: number; reference: string }> {
    const { symbol } = order.instrument
    const hours = trading.hours(symbol)
    const isQueued = order.type === 'market' && queues && !hours.open && !hours.halt
    if (order.type === 'market' && !isQueued) {
      const now = await trade.marketQuote(symbol)
      return { now, since: now.tick.id, reference: now.mark }
    }
    const last = await trade.lastQuote(symbol)
    const since = last?.tick.id ?? 0
    if (isQueued) {
      if (!last) throw new ApiProblem('price_stale')
      return { now: undefined, since, reference: last.mark }
    }
    // A limit that the market has passed already is filled at once; while there is no price to trade at, it waits as the others do.
    const isTraded = hours.open && (reads.quoteAge(symbol) ?? Number.POSITIVE_INFINITY) <= priceAgeMsMax
    const now = isTraded && last && isReached(order.side, last.mark, order.price!) ? last : undefined
    return { now, since, reference: now?.mark ?? order.price! }
  }

  /**
   * @param markOf the price that a position is closed at; undefined where there is none, and the last one counts
   * @throws ApiProblem('price_moved') where positions bring less than the customer accepts
   */
  function mustBring(worst: string, positions: readonly Position[], scale: number, markOf: (id: number) => string | undefined): void {
    const now = positions.reduce((sum, one) => sum.plus(rows.position(one, scale, markOf(one.id)).unrealised ?? 0), new Big(0))
    if (now.lt(worst)) throw new ApiProblem('price_moved', { field: 'worst_unrealised' })
  }
  /** @throws ApiProblem('terms_changed') where the screen showed other ones */
  function mustBeTerms(shown: number | undefined, { version }: Order['terms']): void {
    if (shown !== undefined && shown !== version) throw new ApiProblem('terms_changed')
  }

  return {
    'lever.orderOpen': async (input, caller) => {
      const { uid } = caller.user
      const order = await orderOf(uid, input)
      const way = await ahead(() => wayOf(order, input.outside_hours === 'queue'))
      const row = await ahead(async () => trade.prepare(order, way().since))
      function decide(): Change {
        const { now, reference } = way()
        mustBeTerms(input.terms_version, order.terms)
        if (order.coin.status !== 1) throw new ApiProblem('currency_closed', { field: 'legal_id' })
        allowed(stopRefusal(order.side, reference, order.tp, order.sl))
        return now ? trade.opening(order, row(), now) : trade.placing(order, row(), reference)
      }
      const { answer, effect } = await accept(caller, input, { uid, coin: order.coin, tick: way.found?.now?.tick, decide })
      if (effect) tell.happened(effect)
      return answer
    },
    'lever.orderMove': async (input, caller) => {
      const { uid } = caller.user
      const found = await mine(uid, input.id)
      const coin = await coinOf(found)
      const instrument = trading.instrument(found.symbol)
      const price = allowed(readPrice(input.price, 'price', instrument.tick))
      const way = await ahead(() => wayOf({ instrument, side: found.side, type: 'limit', price }, false))
      return done(caller, 'lever.orderMove', input, async (tx) => {
        const before = await locked(tx, uid, input.id)
        const after = await moves.move(tx, before, coin, { price, now: way().now })
        return { happened: before === after ? [] : [{ before, after }], answer: rows.position(after, coin.scale) }
      })
    },
    'lever.close': async (input, caller) => {
      const { uid } = caller.user
      const found = await mine(uid, input.id)
      const coin = await coinOf(found)
      const limits = { shown: optional(input.price, 'price'), worst: optional(input.worst_price, 'worst_price') }
      const closeId = await trade.closeId()
      const quoted = await ahead(async () => {
        await owed(found)
        return trade.marketQuote(found.symbol)
      })
      function decide(row: Position) {
        if (row.state !== 'open') throw new ApiProblem('state_wrong')
        const lots = allowed(readPart(input.lots, row.lots))
        return trade.closing(row, coin, { id: closeId, lots, quoted: quoted(), reason: 'user', ...limits })
      }
      const { answer, effect } = await close(caller, input, { uid, id: input.id, symbol: found.symbol, tick: quoted.found?.tick, decide })
      if (effect) tell.happened(effect)
      return answer
    },
    'lever.closeAll': async (input, caller) => {
      const { uid } = caller.user
      const symbol = input.match_id === undefined ? undefined : instrumentOf(context, input.match_id).symbol
      const side = input.type === '1' ? 'long' : input.type === '2' ? 'short' : undefined
      const wanted: { found: Position; coin: Currency; closeId: number; quoted: Ahead<Quoted> }[] = []
      for (const found of await store.open(uid, symbol, side)) {
        const quoted = await ahead(async () => {
          await owed(found)
          return trade.marketQuote(found.symbol)
        })
        wanted.push({ found, quoted, coin: await coinOf(found), closeId: await trade.closeId() })
      }
      return done(caller, 'lever.closeAll', input, async (tx) => {
        const symbols = [...new Set(wanted.map(({ found }) => found.symbol))]
        const [locked, isLogged, ...ticks] = await Promise.all([
          store.lockAll(
            tx,
            wanted.map(({ found }) => found.id),
          ),
          reads.logged(
            tx,
            wanted.flatMap(({ quoted }) => quoted.found?.tick ?? []),
          ),
          ...symbols.map((symbol) => reached.ticks(tx, symbol)),
        ])
        const ticksOf = new Map(symbols.map((symbol, at) => [symbol, ticks[at]!]))
        const marks = new Map(wanted.map(({ found, quoted }) => [found.id, quoted.found?.mark]))
        const standing = new Map(locked.map((row) => [row.id, row]))
        if (input.worst_unrealised !== undefined)
          mustBring(input.worst_unrealised, locked, wanted[0]?.coin.scale ?? 0, (id) => marks.get(id))
        const happened: (Change & { close: Close })[] = []
        const failed: CallOutput<'lever.closeAll'>['failed'] = []
        for (const { found, coin, closeId, quoted } of wanted) {
          try {
            const before = standing.get(found.id)
            if (before?.state !== 'open') throw new ApiProblem('state_wrong')
            reached.mustStand(before, ticksOf.get(before.symbol)!)
            const at = quoted()
            if (!isLogged(at.tick)) throw new ApiProblem('price_stale')
            happened.push(trade.closing(before, coin, { id: closeId, lots: before.lots, quoted: at, reason: 'user' }))
          } catch (error) {
            if (!(error instanceof ApiProblem)) throw error
            failed.push({ id: found.id, symbol: found.symbol, problem: error.code })
          }
        }
        await trade.write(tx, happened)
        return { happened, answer: { closed: happened.map(({ close }) => rows.close(close)), failed } }
      })
    },
    'lever.setStopPrice': async ({ id, target_profit_price, stop_loss_price }, { user: { uid } }) => {
      if (target_profit_price === undefined && stop_loss_price === undefined)
        throw new ApiProblem('parameter_missing', { field: 'stop_loss_price' })
      const found = await mine(uid, id)
      const { tick } = trading.instrument(found.symbol)
      const read = (text: string | undefined, field: string, now: string | null) =>
        text === undefined ? now : text === '' ? null : allowed(readPrice(text, field, tick))
      const wanted = (row: Position) => ({
        tp: read(target_profit_price, 'target_profit_price', row.tp),
        sl: read(stop_loss_price, 'stop_loss_price', row.sl),
      })
      wanted(found)
      const coin = await coinOf(found)
      const last = await trade.lastQuote(found.symbol)
      const happened = await database.transaction(async (tx) => {
        const before = await standing(tx, uid, id)
        if (before.state !== 'open' && before.state !== 'entrust') throw new ApiProblem('state_wrong')
        const set = wanted(before)
        const reference = before.state === 'entrust' && before.price !== null ? before.price : last?.mark
        if (reference === undefined) throw new ApiProblem('state_wrong')
        // A level that stays as it is was right when it was set.
        const changed = { tp: set.tp === before.tp ? null : set.tp, sl: set.sl === before.sl ? null : set.sl }
        allowed(stopRefusal(before.side, reference, changed.tp, changed.sl))
        return { before, after: await trade.changeStops(tx, before, set, last?.tick.id ?? before.since) }
      })
      if (happened.before !== happened.after) tell.happened(happened)
      return rows.position(happened.after, coin.scale)
    },
    'lever.closeAtOpening': async ({ id, wanted }, { user: { uid } }) => {
      const found = await mine(uid, id)
      const coin = await coinOf(found)
      const { open, halt } = trading.hours(found.symbol)
      if (wanted === '1' && (open || halt)) throw new ApiProblem(halt ? 'market_halted' : 'state_wrong')
      const last = wanted === '1' ? await trade.lastQuote(found.symbol) : undefined
      const happened = await database.transaction(async (tx) => {
        const before = await standing(tx, uid, id)
        return { before, after: await trade.changeExit(tx, before, wanted === '1' ? (last?.tick.id ?? before.since) : null) }
      })
      if (happened.before !== happened.after) tell.happened(happened)
      return rows.position(happened.after, coin.scale)
    },
    'lever.margin': async (input, caller) => {
      const { uid } = caller.user
      const { id, action } = input
      const found = await mine(uid, id)
      const coin = await coinOf(found)
      const read = typedAmount(input.amount, coin.scale)
      if (!read?.gt(0)) throw new ApiProblem('amount_wrong', { field: 'amount' })
      const quoted = await ahead(async () => {
        await owed(found)
        return trade.marketQuote(found.symbol)
      })
      return done(caller, 'lever.margin', input, async (tx) => {
        const at = quoted()
        const before = await standing(tx, uid, id)
        const after = await trade.changeMargin(tx, before, coin, { action, amount: plain(read), quoted: at })
        return { happened: [{ before, after }], answer: rows.position(after, coin.scale) }
      })
    },
    'lever.reverse': async (input, caller) => {
      const { uid } = caller.user
      const found = await mine(uid, input.id)
      const coin = await coinOf(found)
      const instrument = trading.instrument(found.symbol)
      const shown = optional(input.price, 'price')
      const worst = optional(input.worst_price, 'worst_price')
      const closeId = await trade.closeId()
      const quoted = await ahead(async () => {
        await owed(found)
        return trade.marketQuote(found.symbol)
      })
      /** Of the same size, in lots of now. */
      function order(row: Position): Order {
        const terms = trading.terms('contract', found.symbol)
        const lots = plain(new Big(row.lots).times(row.lot_size).div(terms.terms.lot_size))
        const { multiple } = row
        return {
          uid,
          instrument,
          coin,
          terms,
          side: otherSide(row.side),
          type: 'market',
          lots,
          multiple,
          price: shown,
          worst,
          tp: null,
          sl: null,
        }
      }
      const row = await ahead(async () => trade.prepare(order(found), quoted().tick.id))
      return done(caller, 'lever.reverse', input, async (tx) => {
        const at = quoted()
        const before = await standing(tx, uid, input.id)
        if (before.state !== 'open') throw new ApiProblem('state_wrong')
        const wanted = order(before)
        mustBeTerms(input.terms_version, wanted.terms)
        allowed(readLots(wanted.lots, wanted.terms.terms))
        if (!wanted.terms.terms.multiples.includes(wanted.multiple)) throw new ApiProblem('multiple_wrong', { field: 'multiple' })
        const closed = trade.closing(before, coin, { id: closeId, lots: before.lots, quoted: at, reason: 'reversed' })
        const opened = trade.opening(wanted, { ...row(), lots: wanted.lots }, at)
        await trade.mustBeLogged(tx, at)
        await trade.write(tx, [closed, opened])
        return {
          happened: [closed, opened],
          answer: { closed: rows.close(closed.close), opened: rows.position(opened.after, coin.scale) },
        }
      })
    },
    'lever.cancel': async (input, caller) => {
      const { uid } = caller.user
      const coin = await coinOf(await mine(uid, input.id))
      return done(caller, 'lever.cancel', input, async (tx) => {
        const before = await standing(tx, uid, input.id)
        const after = await trade.cancel(tx, before, 'user')
        return { happened: [{ before, after }], answer: rows.position(after, coin.scale) }
      })
    },
  }
}
