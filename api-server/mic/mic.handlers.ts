import type { Proofs } from '#api-server/account/proof.ts'
import { quoteIn } from '#api-server/currency/currency.reads.ts'
import { ahead, type Idempotency } from '#api-server/idempotency/idempotency.ts'
import type { LedgerReads } from '#api-server/ledger/ledger.reads.ts'
import type { MarketInstrument, MarketReads, PriceRead } from '#api-server/market/market.reads.ts'
import { openings } from '#api-server/mic/accept.ts'
import type { MicContext } from '#api-server/mic/context.ts'
import { agreedBy } from '#api-server/mic/mic.rules.ts'
import { holding, type OptionFilter, type OptionRow } from '#api-server/mic/mic.store.ts'
import type { Trading } from '#api-server/trading/trading.ts'
import type { micCalls } from '#contract/calls/mic.calls.ts'
import type { CallInput } from '#contract/contract.ts'
import { optionBreakEvenRate } from '#contract/functions/option.breakEvenRate.function.ts'
import { exact, parseAmount } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import { createIds } from '#server-kit/db/bulk.ts'
import type { Handlers } from '#server-kit/http/http.ts'
import { checkTimeRange } from '#server-kit/http/list-bounds.ts'
import { exportOf, exportPage, timeCell } from '#server-kit/ops/csv.rules.ts'
import type { Texts } from '#server-kit/ops/texts.ts'

export interface HandlerContext extends MicContext {
  trading: Trading
  reads: Pick<MarketReads, 'durable' | 'logged' | 'proven'>
  balances: LedgerReads
  once: Idempotency
  proofs: Pick<Proofs, 'standings'>
  /** Words of the file of options. */
  texts: Texts
  opened: () => void
}

const columns = [
  'time',
  'number',
  'symbol',
  'type',
  'seconds',
  'stake',
  'payout_rate',
  'open',
  'settle',
  'status',
  'payout',
  'profit',
] as const

export function micHandlers(context: HandlerContext): Handlers<typeof micCalls> {
  const { store, balances, coins, trading, reads, once, clock, announce, shown, rowOf, texts, opened } = context
  const accept = once.grouped(openings(context))
  const ids = createIds(store.ids)

  /** The traded symbols, or the one that is asked for by number or name. @throws ApiProblem('symbol_unknown') */
  function markets(asked?: string): MarketInstrument[] {
    const all = trading.symbols('option').map(trading.instrument)
    if (asked === undefined) return all
    const found = all.find((one) => one.symbol === asked || String(one.match_id) === asked)
    if (!found) throw new ApiProblem('symbol_unknown', { field: 'match_id' })
    return [found]
  }

  /** The last price; undefined while there is none that is young enough. */
  function price(symbol: string): PriceRead | undefined {
    try {
      return trading.freshPrice(symbol)
    } catch (error) {
      if (error instanceof ApiProblem) return undefined
      throw error
    }
  }

  function filterOf({ status, symbol, from, to }: CallInput<'mic.exportList'>): OptionFilter {
    checkTimeRange({ from, to })
    return { status, symbol, from, to }
  }

  return {
    'mic.payableCurrencies': async (_input, { user }) => {
      const quotes = new Set(markets().map(({ quote }) => quote))
      const payable = (await coins.list()).filter(({ code, status }) => status === 1 && quotes.has(code))
      const list = []
      for (const { id, code, name, scale } of payable) {
        const { available, frozen } = await balances.balance(user.uid, 'micro', id)
        list.push({ currency_id: id, currency_code: code, scale, name, available: exact(available), frozen: exact(frozen) })
      }
      return { list }
    },

    'mic.getSeconds': async ({ match_id }) => {
      const list = []
      for (const instrument of markets(match_id)) {
        const coin = quoteIn(await coins.list(), instrument.quote)
        if (!coin) continue
        const { match_id, symbol, name, base, quote, tick } = instrument
        const { open, halt, next } = trading.hours(symbol)
        const { durations, tolerance } = trading.terms('option', symbol).terms
        list.push({
          match_id,
          symbol,
          name,
          base,
          quote,
          tick,
          currency_id: coin.id,
          scale: coin.scale,
          tolerance,
          trading: open ? ('open' as const) : halt ? ('halted' as const) : ('closed' as const),
          changes: next?.at ?? null,
          durations: durations.map((one) => ({ ...one, break_even: optionBreakEvenRate.run({ rate: one.payout_rate }) })),
        })
      }
      return { list }
    },

    'mic.orderOpen': async (input, caller) => {
      const { uid } = caller.user
      const [instrument] = markets(input.match_id) as [MarketInstrument]
      const { match_id, symbol } = instrument
      const coin = await coins.one(input.currency_id)
      const payable = quoteIn(await coins.list(), instrument.quote)
      // Together: the order opens at the price that is the last one at that moment, however long it takes to be written. Where the clock of this
      // node is behind that of the prices it opens no earlier than its price, so that it never lasts less than its duration.
      const last = price(symbol)
      const opened_at = Math.max(clock.now(), last?.time ?? 0)
      const isWritten = await ahead(async () => {
        if (!last) return
        await reads.durable(last.tickId).catch((cause: unknown) => {
          throw new ApiProblem('busy', { cause })
        })
      })
      const id = await ids.take()
      function decide(): OptionRow {
        if (coin.status !== 1 || coin.id !== payable?.id) throw new ApiProblem('currency_closed', { field: 'currency_id' })
        trading.mustBeOpen(symbol)
        if (!last) throw new ApiProblem('price_stale')
        isWritten()
        const { terms, version } = trading.terms('option', symbol)
        const { stake, duration } = agreedBy(terms, input, { price: last.price, scale: coin.scale })
        return holding({
          id,
          uid,
          oid: input.oid ?? null,
          match_id,
          symbol,
          currency_id: coin.id,
          type: input.type,
          seconds: duration.seconds,
          stake,
          rate: duration.payout_rate,
          terms_version: version,
          open_tick_id: last.tickId,
          open_price: last.price,
          opened_at,
          due_at: opened_at + duration.seconds * 1_000,
        })
      }
      const asked = {
        uid,
        coin,
        oid: input.oid,
        tick: last && { id: last.tickId, symbol, price: last.price },
        decide,
        same: (row: OptionRow) => same(row, input, match_id),
        answer: (row: OptionRow) => ({ ...shown(row, coin), open_tick_id: row.open_tick_id }),
      }
      const { answer, effect } = await accept(caller, input, asked).catch((error: unknown) => {
        throw isKeyTaken(error) ? new ApiProblem('key_reused', { field: 'oid' }) : error
      })
      if (effect) {
        opened()
        announce(effect, 'insert')
      }
      return answer
    },

    'mic.orderList': async ({ page, size, ...filter }, { user }) => {
      const { rows, total } = await store.find(user.uid, filterOf(filter), { page, size })
      return { total, list: await Promise.all(rows.map(rowOf)) }
    },

    'mic.exportList': async (filter, { user, lang }) => {
      const { rows } = await store.find(user.uid, filterOf(filter), exportPage)
      const say = (key: string) => texts.say(lang, `option_${key}`)
      return exportOf('tessera-options', clock.now(), await Promise.all(rows.map(rowOf)), {
        titles: columns.map(say),
        line: (row) => [
          ...[timeCell(row.opened), row.id, row.symbol, say(row.type), row.seconds, row.number, row.rate, row.open_price],
          ...[row.settle_price, say(row.status), row.payout, row.profit],
        ],
      })
    },

    'mic.getOrderDetail': async ({ id }, { user }) => {
      const row = await store.one(user.uid, id)
      if (!row) throw new ApiProblem('order_unknown', { field: 'id' })
      return {
        ...(await rowOf(row)),
        open_tick: await reads.proven(row.open_tick_id),
        settle_tick: row.settle_tick_id === null ? null : await reads.proven(row.settle_tick_id),
        log_end: row.log_end,
      }
    },
  }
}

/** Only orders that freeze different coins, on two nodes at once, come this far: they are not the same order. */
const isKeyTaken = (error: unknown) => (error as { constraint?: unknown } | undefined)?.constraint === 'option_order_uid_oid_key'

/** An order that came with a key that its customer has used. @throws ApiProblem('key_reused') when it is another order */
function same(row: OptionRow, { type, currency_id, seconds, number }: CallInput<'mic.orderOpen'>, matchId: number): OptionRow {
  const isCoin = row.currency_id === currency_id
  const isSame = isCoin && row.match_id === matchId && row.type === type && row.seconds === seconds && parseAmount(number)?.eq(row.stake)
  if (!isSame) throw new ApiProblem('key_reused', { field: 'oid' })
  return row
}
