import { type BackOfficeContext, look } from '#api-server/back-office/context.ts'
import type { WithResponse } from '#api-server/back-office/log.handlers.ts'
import { type Decision, decideOnce, proven } from '#api-server/kit/decision.ts'
import type { backOfficeTradingCalls } from '#contract/calls/office.trading.calls.ts'
import type { TradeProduct } from '#contract/trading.ts'
import { streamCsv } from '#server-kit/files/csv-stream.ts'
import type { Handlers, OperatorCaller } from '#server-kit/http/http.ts'
import { timeCell } from '#server-kit/ops/csv.rules.ts'

const columns = [
  ...(['id', 'position_id', 'uid', 'symbol', 'side', 'lots', 'price', 'margin', 'insurance', 'currency_code', 'reason'] as const),
]

/**
 * Terms and hours of trading. Other ones wait until a second administrator agrees, since who could change them alone could trade on them. A halt
 * protects customers and counts at once.
 */
export function tradingHandlers(context: BackOfficeContext): Handlers<typeof backOfficeTradingCalls, WithResponse> {
  const { trading, exposure, options, books } = context

  /** Halts or resumes a symbol once for the key, and answers it as it is then. */
  async function change(
    caller: OperatorCaller,
    call: 'office.halt' | 'office.resume',
    input: { product: TradeProduct; symbol: string },
    work: (decision: Decision) => Promise<string>,
  ) {
    const { product, symbol } = input
    const action = call === 'office.halt' ? 'instrument.halt' : 'instrument.resume'
    await decideOnce(context, caller, call, input, async (decision) => ({
      answer: {},
      notes: [{ action, detail: await work(decision), subject: `${product}:${symbol}` }],
    }))
    await trading.changed()
    context.queueChanged()
    return trading.one(product, symbol, caller.operator)
  }

  return {
    'office.instruments': async ({ product, state, search, page, size }) => {
      const all = await trading.list({ product, state, search: search ?? '' })
      return { list: all.slice((page - 1) * size, page * size), total: all.length }
    },
    'office.instrument': ({ product, symbol }, { operator }) => trading.one(product, symbol, operator),
    'office.halt': (input, caller) =>
      change(caller, 'office.halt', input, async (decision) => {
        await trading.halt(decision, input.product, input.symbol, input.reason)
        return input.reason
      }),
    'office.resume': (input, caller) => {
      proven(caller.operator)
      return change(caller, 'office.resume', input, (decision) => trading.resume(decision, input.product, input.symbol, input.halted_at))
    },
    'office.exposure': async () => {
      const [list, insurance] = await Promise.all([exposure.exposure(), exposure.insurance()])
      return { list, insurance, options: await options.exposure(), held: await books.held() }
    },
    'office.liquidations': ({ page, size }) => exposure.liquidations({ offset: (page - 1) * size, size }),
    async 'office.liquidationsCsv'(_input, caller) {
      await look(context, caller, 'liquidations.export', 'liquidations')
      await streamCsv(caller.res, {
        name: 'liquidations.csv',
        titles: ['time', ...columns],
        line: (row) => [timeCell(row.time), ...columns.map((name) => row[name])],
        rows: exposure.liquidationsBefore,
      })
    },
    'office.calendars': () => trading.calendars(),
    'office.calendar': ({ group }, { operator }) => trading.calendar(group, operator, context.clock.now()),
    'office.calendarPreview': ({ group, ...typed }) => trading.previewCalendar(group, typed, context.clock.now()),
    async 'office.calendarSave'(input, caller) {
      const { group, version, ...typed } = input
      const { operator } = caller
      proven(operator)
      const at = context.clock.now()
      await context.once.run(caller, { call: 'office.calendarSave', input }, (tx) =>
        trading.proposeCalendar(tx, operator, { group, typed, version, at }),
      )
      context.queueChanged()
      return trading.calendar(group, operator, at)
    },
  }
}
