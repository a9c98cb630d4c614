import type { DeskAuditRow } from '#api-server/desk/desk.migration.ts'
import { type DeskParts, decide, look } from '#api-server/desk/parts.ts'
import type { deskCalls } from '#contract/desk.calls.ts'
import { parseAmount, plain } from '#contract/money.ts'
import { ApiProblem } from '#contract/problem.ts'
import { lineOf } from '#server-kit/csv.rules.ts'
import type { Handlers } from '#server-kit/http.ts'

type Calls = Pick<Handlers<typeof deskCalls>, 'desk.counts' | 'desk.audit' | 'desk.auditCsv' | 'desk.settings' | 'desk.settingsSave'>

const csvRowsMax = 5_000
const columns = ['id', 'time', 'operator', 'action', 'subject', 'detail', 'chain']
/** Cents; more is no rule that anybody could keep. */
const usdScale = 2

const shown = ({ id, at, operator, action, subject, detail }: DeskAuditRow) => ({ id, time: at, operator, action, subject, detail })

/** Calls of the desk about itself: its counts, its log and its rules. */
export function logHandlers(parts: DeskParts): Calls {
  const { audit, settings, counts, clock } = parts
  return {
    'desk.counts': counts,
    async 'desk.audit'({ page, size, ...filter }) {
      const { list, total } = await audit.page(filter, page, size)
      return { list: list.map(shown), total }
    },
    /** That it was taken is itself a row, and stands in it. */
    async 'desk.auditCsv'(filter, caller) {
      const asked = Object.entries(filter).flatMap(([name, value]) => (value ? [`${name}=${value}`] : []))
      await look(parts, caller, 'audit.export', 'audit', asked.join(' '))
      const { list, total } = await audit.page(filter, 1, csvRowsMax)
      const lines = list.map(({ id, at, operator, action, subject, detail, chain }) =>
        lineOf([id, new Date(at).toISOString(), operator, action, subject, detail, chain]),
      )
      const day = new Date(clock.now()).toISOString().slice(0, 10)
      const text = lineOf(columns) + lines.join('')
      return { name: `desk-${day}.csv`, type: 'text/csv', text, rows: list.length, cut: total > list.length }
    },
    'desk.settings': () => settings.read(),
    'desk.settingsSave': (input, caller) => {
      const usd = parseAmount(input.four_eyes_usd, usdScale)
      if (!usd) throw new ApiProblem('amount_wrong', { field: 'four_eyes_usd' })
      return decide(parts, caller, 'desk.settingsSave', input, async (tx, at) => {
        const { name } = caller.operator
        const before = await settings.lock(tx)
        await settings.save(tx, plain(usd), name, at)
        const note = { action: 'settings.four_eyes', subject: 'settings', detail: `${before.four_eyes_usd} → ${plain(usd)}` } as const
        return { answer: { four_eyes_usd: plain(usd), changed_by: name, changed: at }, note }
      })
    },
  }
}
