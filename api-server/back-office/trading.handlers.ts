import { type BackOfficeContext, look } from '#api-server/back-office/context.ts'
import { decideOnce, type OfficeCall, proven } from '#api-server/kit/decision.ts'
import type { HoursDone, TermsDone } from '#api-server/trading/review.ts'
import type { BackOfficeAction } from '#contract/calls/office.rows.ts'
import type { backOfficeTradingCalls } from '#contract/calls/office.trading.calls.ts'
import type { TradedGroup, TradeProduct } from '#contract/trading.ts'
import type { Tx } from '#server-kit/db/db.ts'
import type { Handlers, OperatorCaller } from '#server-kit/http/http.ts'
import { exportOf, exportPage, timeCell } from '#server-kit/ops/csv.rules.ts'

const columns = [
  ...(['id', 'position_id', 'uid', 'symbol', 'side', 'lots', 'price', 'margin', 'insurance', 'currency_code', 'reason'] as const),
]

/**
 * Terms and hours of trading. Other ones wait until a second administrator agrees, since who could change them alone could trade on them. A halt
 * protects customers and counts at once.
 */
export function tradingHandlers(parts: BackOfficeContext): Handlers<typeof backOfficeTradingCalls> {
  const { trading, exposure, options, books } = parts

  /** Does a step, writes it down, lets it count, and answers the symbol as it is then. */
  async function change(
    caller: OperatorCaller,
    call: OfficeCall,
    input: object,
    work: (tx: Tx, at: number) => Promise<{ done: TermsDone; action: BackOfficeAction }>,
  ) {
    const { product, symbol } = await decideOnce(parts, caller, call, input, async ({ tx, at }) => {
      const { done, action } = await work(tx, at)
      const answer: { product: TradeProduct; symbol: string } = { product: done.product, symbol: done.symbol }
      return { answer, notes: [{ action, subject: `${done.product}:${done.symbol}`, detail: done.detail }] }
    })
    await trading.changed()
    parts.queueChanged()
    return trading.one(product, symbol, caller.operator)
  }

  /** The same with the hours of a group. */
  async function changeHours(
    caller: OperatorCaller,
    call: OfficeCall,
    input: object,
    work: (tx: Tx, at: number) => Promise<{ done: HoursDone; action: BackOfficeAction }>,
  ) {
    const { group } = await decideOnce(parts, caller, call, input, async ({ tx, at }) => {
      const { done, action } = await work(tx, at)
      const answer: { group: TradedGroup } = { group: done.group }
      return { answer, notes: [{ action, subject: `hours:${done.group}`, detail: done.detail }] }
    })
    await trading.changed()
    parts.queueChanged()
    return trading.calendar(group, caller.operator, parts.clock.now())
  }

  return {
    'office.instruments': async ({ product, state, search, page, size }) => {
      const all = await trading.list({ product, state, search: search ?? '' })
      return { list: all.slice((page - 1) * size, page * size), total: all.length }
    },
    'office.instrument': ({ product, symbol }, { operator }) => trading.one(product, symbol, operator),
    'office.instrumentSave': ({ product, symbol, ...typed }, caller) => {
      proven(caller.operator)
      return change(caller, 'office.instrumentSave', { product, symbol, ...typed }, async (tx, at) => ({
        done: await trading.propose(tx, product, symbol, typed, caller.operator, at),
        action: 'instrument.propose',
      }))
    },
    'office.instrumentAgree': ({ id }, caller) => {
      proven(caller.operator)
      return change(caller, 'office.instrumentAgree', { id }, async (tx, at) => ({
        done: await trading.agree(tx, id, caller.operator, at),
        action: 'instrument.agree',
      }))
    },
    'office.instrumentDrop': ({ id }, caller) =>
      change(caller, 'office.instrumentDrop', { id }, async (tx, at) => {
        const done = await trading.drop(tx, id, caller.operator, at)
        return { done, action: done.own ? 'instrument.withdraw' : 'instrument.refuse' }
      }),
    'office.halt': ({ product, symbol, reason }, caller) =>
      change(caller, 'office.halt', { product, symbol, reason }, async (tx, at) => ({
        done: await trading.halt(tx, product, symbol, reason, caller.operator, at),
        action: 'instrument.halt',
      })),
    'office.resume': ({ product, symbol, halted_at }, caller) => {
      proven(caller.operator)
      return change(caller, 'office.resume', { product, symbol, halted_at }, async (tx, at) => ({
        done: await trading.resume(tx, product, symbol, halted_at, at),
        action: 'instrument.resume',
      }))
    },
    'office.exposure': async () => {
      const [list, insurance] = await Promise.all([exposure.exposure(), exposure.insurance()])
      return { list, insurance, options: await options.exposure(), held: await books.held() }
    },
    'office.liquidations': ({ page, size }) => exposure.liquidations({ offset: (page - 1) * size, size }),
    async 'office.liquidationsCsv'(_input, caller) {
      await look(parts, caller, 'liquidations.export', 'liquidations')
      const { list } = await exposure.liquidations(exportPage)
      return exportOf('liquidations', parts.clock.now(), list, {
        titles: ['time', ...columns],
        line: (row) => [timeCell(row.time), ...columns.map((name) => row[name])],
      })
    },
    'office.calendars': () => trading.calendars(),
    'office.calendar': ({ group }, { operator }) => trading.calendar(group, operator, parts.clock.now()),
    'office.calendarPreview': ({ group, ...typed }) => trading.previewCalendar(group, typed, parts.clock.now()),
    'office.calendarSave': ({ group, ...typed }, caller) => {
      proven(caller.operator)
      return changeHours(caller, 'office.calendarSave', { group, ...typed }, async (tx, at) => ({
        done: await trading.proposeCalendar(tx, group, typed, caller.operator, at),
        action: 'hours.propose',
      }))
    },
    'office.calendarAgree': ({ id }, caller) => {
      proven(caller.operator)
      return changeHours(caller, 'office.calendarAgree', { id }, async (tx, at) => ({
        done: await trading.agreeCalendar(tx, id, caller.operator, at),
        action: 'hours.agree',
      }))
    },
    'office.calendarDrop': ({ id }, caller) =>
      changeHours(caller, 'office.calendarDrop', { id }, async (tx, at) => {
        const done = await trading.dropCalendar(tx, id, caller.operator, at)
        return { done, action: done.own ? 'hours.withdraw' : 'hours.refuse' }
      }),
  }
}
