import { type BackOfficeContext, decide, look, proven } from '#api-server/back-office/context.ts'
import type { HoursDone, TermsDone } from '#api-server/trading/review.ts'
import type { DeskAction } from '#contract/calls/desk.rows.ts'
import type { deskTradingCalls } from '#contract/calls/desk.trading.calls.ts'
import type { TradedGroup, TradeProduct } from '#contract/trading.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers, OperatorCaller } from '#server-kit/http/http.ts'
import { lineOf } from '#server-kit/ops/csv.rules.ts'

const csvRowsMax = 5_000
const columns = [
  ...(['id', 'position_id', 'uid', 'symbol', 'side', 'lots', 'price', 'margin', 'insurance', 'currency_code', 'reason'] as const),
]

/**
 * Terms and hours of trading. Other ones wait until a second administrator agrees, since who could change them alone could trade on them. A halt
 * protects customers and counts at once.
 */
export function tradingHandlers(parts: BackOfficeContext): Handlers<typeof deskTradingCalls> {
  const { trading, exposure, options, books } = parts

  /** Does a step, writes it down, lets it count, and answers the symbol as it is then. */
  async function change(
    caller: OperatorCaller,
    call: string,
    input: object,
    work: (tx: Tx, at: number) => Promise<{ done: TermsDone; action: DeskAction }>,
  ) {
    const { product, symbol } = await decide(parts, caller, call, input, async (tx, at) => {
      const { done, action } = await work(tx, at)
      const answer: { product: TradeProduct; symbol: string } = { product: done.product, symbol: done.symbol }
      return { answer, note: { action, subject: `${done.product}:${done.symbol}`, detail: done.detail } }
    })
    await trading.changed()
    parts.queueChanged()
    return trading.one(product, symbol, caller.operator)
  }

  /** The same with the hours of a group. */
  async function changeHours(
    caller: OperatorCaller,
    call: string,
    input: object,
    work: (tx: Tx, at: number) => Promise<{ done: HoursDone; action: DeskAction }>,
  ) {
    const { group } = await decide(parts, caller, call, input, async (tx, at) => {
      const { done, action } = await work(tx, at)
      const answer: { group: TradedGroup } = { group: done.group }
      return { answer, note: { action, subject: `hours:${done.group}`, detail: done.detail } }
    })
    await trading.changed()
    parts.queueChanged()
    return trading.calendar(group, caller.operator, parts.clock.now())
  }

  return {
    'desk.instruments': async ({ product, state, search, page, size }) => {
      const all = await trading.list({ product, state, search: search ?? '' })
      return { list: all.slice((page - 1) * size, page * size), total: all.length }
    },
    'desk.instrument': ({ product, symbol }, { operator }) => trading.one(product, symbol, operator),
    'desk.instrumentSave': ({ product, symbol, ...typed }, caller) => {
      proven(caller.operator)
      return change(caller, 'desk.instrumentSave', { product, symbol, ...typed }, async (tx, at) => ({
        done: await trading.propose(tx, product, symbol, typed, caller.operator, at),
        action: 'instrument.propose',
      }))
    },
    'desk.instrumentAgree': ({ id }, caller) => {
      proven(caller.operator)
      return change(caller, 'desk.instrumentAgree', { id }, async (tx, at) => ({
        done: await trading.agree(tx, id, caller.operator, at),
        action: 'instrument.agree',
      }))
    },
    'desk.instrumentDrop': ({ id }, caller) =>
      change(caller, 'desk.instrumentDrop', { id }, async (tx, at) => {
        const done = await trading.drop(tx, id, caller.operator, at)
        return { done, action: done.own ? 'instrument.withdraw' : 'instrument.refuse' }
      }),
    'desk.halt': ({ product, symbol, reason }, caller) =>
      change(caller, 'desk.halt', { product, symbol, reason }, async (tx, at) => ({
        done: await trading.halt(tx, product, symbol, reason, caller.operator, at),
        action: 'instrument.halt',
      })),
    'desk.resume': ({ product, symbol }, caller) => {
      proven(caller.operator)
      return change(caller, 'desk.resume', { product, symbol }, async (tx, at) => ({
        done: await trading.resume(tx, product, symbol, at),
        action: 'instrument.resume',
      }))
    },
    'desk.exposure': async () => {
      const [list, insurance] = await Promise.all([exposure.exposure(), exposure.insurance()])
      return { list, insurance, options: await options.exposure(), held: await books.held() }
    },
    'desk.liquidations': ({ page, size }) => exposure.liquidations({ offset: (page - 1) * size, size }),
    async 'desk.liquidationsCsv'(_input, caller) {
      await look(parts, caller, 'liquidations.export', 'liquidations')
      const { list, total } = await exposure.liquidations({ offset: 0, size: csvRowsMax })
      const lines = list.map((row) => lineOf([new Date(row.time).toISOString(), ...columns.map((name) => row[name])]))
      const day = new Date(parts.clock.now()).toISOString().slice(0, 10)
      const text = lineOf(['time', ...columns]) + lines.join('')
      return { name: `liquidations-${day}.csv`, type: 'text/csv', text, rows: list.length, cut: total > list.length }
    },
    'desk.calendars': () => trading.calendars(),
    'desk.calendar': ({ group }, { operator }) => trading.calendar(group, operator, parts.clock.now()),
    'desk.calendarPreview': ({ group, ...typed }) => trading.previewCalendar(group, typed, parts.clock.now()),
    'desk.calendarSave': ({ group, ...typed }, caller) => {
      proven(caller.operator)
      return changeHours(caller, 'desk.calendarSave', { group, ...typed }, async (tx, at) => ({
        done: await trading.proposeCalendar(tx, group, typed, caller.operator, at),
        action: 'hours.propose',
      }))
    },
    'desk.calendarAgree': ({ id }, caller) => {
      proven(caller.operator)
      return changeHours(caller, 'desk.calendarAgree', { id }, async (tx, at) => ({
        done: await trading.agreeCalendar(tx, id, caller.operator, at),
        action: 'hours.agree',
      }))
    },
    'desk.calendarDrop': ({ id }, caller) =>
      changeHours(caller, 'desk.calendarDrop', { id }, async (tx, at) => {
        const done = await trading.dropCalendar(tx, id, caller.operator, at)
        return { done, action: done.own ? 'hours.withdraw' : 'hours.refuse' }
      }),
  }
}
