import Big from 'big.js'
import { instrumentOf, type LeverContext } from '#api-server/lever/context.ts'
import { closingPrice, dayMs, liquidationOf, lotsScale, openingPrice, profitDays } from '#api-server/lever/lever.rules.ts'
import type { Close, HistoryFilter, Position } from '#api-server/lever/lever.store.ts'
import { leverAccount } from '#api-server/lever/postings.ts'
import type { Rows } from '#api-server/lever/rows.ts'
import type { leverCalls } from '#contract/calls/lever.calls.ts'
import type { LeverRow } from '#contract/calls/lever.rows.ts'
import type { CallInput } from '#contract/contract.ts'
import { contractNotional } from '#contract/functions/contract.notional.function.ts'
import { contractResult } from '#contract/functions/contract.result.function.ts'
import { contractRiskRate } from '#contract/functions/contract.riskRate.function.ts'
import { contractWorstUnrealised } from '#contract/functions/contract.worstUnrealised.function.ts'
import { moneyStep } from '#contract/functions/money.step.function.ts'
import { exact, plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import { priceAgeMsMax } from '#contract/trading.ts'
import type { Handlers } from '#server-kit/http/http.ts'
import { checkTimeRange, offsetOf } from '#server-kit/http/list-bounds.ts'
import { exportOf, exportPage, timeCell } from '#server-kit/ops/csv.rules.ts'

type Calls = Pick<
  typeof leverCalls,
  | 'lever.deal'
  | 'lever.dealall'
  | 'lever.order'
  | 'lever.orderList'
  | 'lever.history'
  | 'lever.closing'
  | 'lever.exportHistory'
  | 'lever.profit'
>
/** All products are quoted in one coin. */
const columns = [
  ...['closed', 'symbol', 'side', 'multiple', 'lots', 'open_price', 'close_price', 'margin', 'profit', 'open_fee'],
  ...['fee', 'overnight', 'result', 'reason', 'opened', 'tick'],
] as const
const total = (amounts: readonly (string | null)[]) => plain(amounts.reduce((all, one) => all.plus(one ?? 0), new Big(0)))

/** The handlers of customers' reads: the ticket, their positions and orders, their history. */
export function listHandlers(context: LeverContext, rows: Rows): Handlers<Calls> {
  const { store, trading, reads, balances, coins, clock, texts, options } = context

  const symbolOf = (matchId: string | undefined) => (matchId === undefined ? undefined : instrumentOf(context, matchId).symbol)
  function filterOf({ match_id, side, from, to, position_id }: CallInput<'lever.exportHistory'>): HistoryFilter {
    checkTimeRange({ from, to })
    return { position: position_id, symbol: symbolOf(match_id), side, from, to }
  }
  /** The price that a tick had to reach to close the position, and the tick after which it counted. */
  function levelOf({ reason, margin }: Close, position: Position): { level: string | null; since: number | null } {
    if (reason === 'take_profit') return { level: position.tp, since: position.tp_since }
    if (reason === 'stop_loss') return { level: position.sl, since: position.sl_since }
    if (reason !== 'liquidated' || position.open_price === null) return { level: null, since: null }
    const { priceScale } = trading.instrument(position.symbol)
    return { level: liquidationOf({ ...position, open_price: position.open_price, margin }, priceScale), since: position.since }
  }

  const sideOf = (list: readonly LeverRow[], side: LeverRow['side']) => list.filter((row) => row.side === side)
  /** Returns the result of closing these positions together now, and the lowest result that is still accepted. */
  function closingOf(type: '0' | '1' | '2', list: readonly LeverRow[], scale: number) {
    const worst = ({ unrealised, mark, lots, lot_size, symbol }: LeverRow) => {
      if (unrealised === null || mark === null) return unrealised
      const notional = contractNotional.run({ lots, lot_size, price: mark })
      return contractWorstUnrealised.run({ unrealised, notional, tolerance: trading.terms('contract', symbol).terms.tolerance, scale })
    }
    const result = ({ mark, open_price, lots, ...row }: LeverRow) => {
      if (mark === null || open_price === null) return null
      const to = closingPrice(row.side, mark, row.spread, trading.instrument(row.symbol).tick)
      return contractResult.run({ ...row, from: open_price, to, lots, open: lots, overnight: row.overnight_open, scale })
    }
    return {
      type,
      count: list.length,
      unrealised: total(list.map((row) => row.unrealised)),
      worst_unrealised: total(list.map(worst)),
      result: total(list.map(result)),
    }
  }

  return {
    'lever.deal': async ({ match_id, currency_id, legal_id }, { user }) => {
      const instrument = instrumentOf(context, match_id)
      const { symbol, base, tick, priceScale } = instrument
      const { terms, version } = trading.terms('contract', symbol)
      const coin = await coins.quoteOf(instrument.quote)
      const held = (await coins.list()).find(({ code }) => code === base)
      if (legal_id !== undefined && legal_id !== coin.id) throw new ApiProblem('currency_unknown', { field: 'legal_id' })
      if (currency_id !== undefined && currency_id !== held?.id) throw new ApiProblem('currency_unknown', { field: 'currency_id' })
      const { open, halt, next } = trading.hours(symbol)
      const { available, frozen } = await balances.balance(user.uid, leverAccount, coin.id)
      const count = (await store.counts([user.uid], symbol)).get(user.uid) ?? { open: 0, entrusts: 0 }
      const mark = rows.markOf(symbol)
      const priceFor = (side: 'long' | 'short') => mark && openingPrice(side, mark, terms.spread, tick)
      return {
        ...rows.market(symbol),
        currency_id: held?.id ?? null,
        legal_id: coin.id,
        scale: coin.scale,
        tick,
        price_scale: priceScale,
        lots_step: moneyStep.run({ scale: lotsScale }),
        terms_version: version,
        terms,
        mark,
        mark_time: reads.lastPrice(symbol)?.time ?? null,
        stale: (reads.quoteAge(symbol) ?? Number.POSITIVE_INFINITY) > priceAgeMsMax,
        open_price_long: priceFor('long'),
        open_price_short: priceFor('short'),
        open,
        halted: halt !== undefined,
        halt_reason: halt?.reason ?? '',
        next_change: next?.at ?? null,
        available: exact(available),
        frozen: exact(frozen),
        positions: count.open,
        entrusts: count.entrusts,
      }
    },
    'lever.dealall': async (_input, { user }) => {
      const coin = await coins.quoteOf()
      const list = (await store.open(user.uid)).map((row) => rows.position(row, coin.scale))
      const { available, frozen } = await balances.balance(user.uid, leverAccount, coin.id)
      const margin = total(list.map((row) => row.margin))
      const unrealised = total(list.map((row) => row.unrealised))
      const risk = new Big(margin).gt(0) ? contractRiskRate.run({ available: exact(available), margin, unrealised }) : null
      return {
        currency_code: coin.code,
        available: exact(available),
        frozen: exact(frozen),
        margin,
        unrealised,
        equity: total([available, margin, unrealised]),
        risk_rate: risk,
        list,
        closings: [
          closingOf('0', list, coin.scale),
          closingOf('1', sideOf(list, 'long'), coin.scale),
          closingOf('2', sideOf(list, 'short'), coin.scale),
        ],
      }
    },
    'lever.order': async ({ id }, { user }) => {
      const coin = await coins.quoteOf()
      const row = await store.one(id)
      if (row?.uid !== user.uid) throw new ApiProblem('order_unknown', { field: 'id' })
      return rows.position(row, coin.scale)
    },
    'lever.orderList': async ({ page, size, status, ...filter }, { user }) => {
      const coin = await coins.quoteOf()
      const found = await store.list(user.uid, status, filterOf(filter), offsetOf({ page, size }))
      return { total: found.total, list: found.rows.map((row) => rows.position(row, coin.scale)) }
    },
    'lever.history': async ({ page, size, ...filter }, { user }) => {
      const found = await store.closes(user.uid, filterOf(filter), offsetOf({ page, size }))
      return { total: found.total, list: found.rows.map(rows.close) }
    },
    'lever.closing': async ({ id }, { user }) => {
      const row = await store.closing(user.uid, id)
      const position = row && (await store.one(row.position_id))
      if (!position) throw new ApiProblem('order_unknown', { field: 'id' })
      return {
        ...rows.close(row),
        spread: position.spread,
        ...levelOf(row, position),
        open_tick: await reads.proven(position.open_tick!),
        tick: await reads.proven(row.tick_id),
      }
    },
    'lever.exportHistory': async (filter, { user, lang }) => {
      const found = await store.closes(user.uid, filterOf(filter), exportPage)
      const say = (key: string) => texts.say(lang, key)
      return exportOf('tessera-futures', clock.now(), found.rows.map(rows.close), {
        titles: columns.map((column) => say(`column_${column}`)),
        line: (row) => [
          ...[timeCell(row.time), row.name, say(row.side), row.multiple, row.lots, row.open_price, row.price],
          ...[row.margin, row.profit, row.open_fee, row.fee, row.overnight, row.result, say(`reason_${row.reason}`)],
          ...[timeCell(row.opened), row.tick_id],
        ],
      })
    },
    'lever.profit': async ({ month: asked, product }, { user }) => {
      const month = asked ?? new Date(clock.now()).toISOString().slice(0, 7)
      const from = Date.parse(`${month}-01T00:00:00Z`)
      const after = new Date(from + 31 * dayMs)
      const to = Date.UTC(after.getUTCFullYear(), after.getUTCMonth(), 1)
      const coin = await coins.quoteOf()
      const contracts = product === 'option' ? [] : await store.days(user.uid, from, to)
      const settled = product === 'contract' ? [] : await options.days(user.uid, coin.id, from, to)
      return { month, currency_code: coin.code, ...profitDays(contracts, settled) }
    },
  }
}
