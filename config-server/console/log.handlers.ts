import type { ConsoleContext } from '#config-server/console/context.ts'
import { shownLogRow } from '#config-server/console/log.rules.ts'
import type { ConsoleHandlers } from '#config-server/console/mount.ts'
import type { Actor, NamedAuditRow } from '#config-server/publishing/publishing.ts'
import type { ConsoleCall } from '#contract/console/console.calls.ts'
import type { LogRow } from '#contract/console/console.rows.ts'
import type { AuditRow } from '#language/publish/publishing.ts'
import { streamCsv } from '#server-kit/files/csv-stream.ts'

type LogCall = Extract<ConsoleCall, `audit.${string}`> | 'events'

const columns = ['id', 'time', 'actor', 'action', 'subject', 'from', 'to', 'reason', 'detail', 'chain']
const cellsOf = ({ id, at, actor, action, subject, fromHash, toHash, reason, detail, chain }: AuditRow) =>
  [id, new Date(at).toISOString(), actor, action, subject, fromHash, toHash, reason, JSON.stringify(detail), chain] as const

export function logHandlers({ publishing, operators, stream }: ConsoleContext): ConsoleHandlers<LogCall> {
  /** Rows as the pages of this operator show them: those about operators lead to pages of administrators alone. */
  async function shown(rows: readonly NamedAuditRow[], { roles }: Actor): Promise<LogRow[]> {
    const leads = roles.includes('administrator') && rows.some(({ subject }) => subject.startsWith('operator '))
    const ids = new Map(leads ? (await operators.list()).map(({ id, name }) => [name, id]) : [])
    return rows.map((row) => shownLogRow(row, row.name, (name) => ids.get(name) ?? 0))
  }
  return {
    async 'audit.page'({ page, size, ...filter }, { actor }) {
      const { rows, total } = await publishing.audit({ ...filter, offset: (page - 1) * size, limit: size })
      return { list: await shown(rows, actor), total }
    },
    async 'audit.one'({ id }, { actor }) {
      const [row] = await shown([await publishing.auditRow(id)], actor)
      return row!
    },
    'audit.change': ({ id }) => publishing.auditChange(id),
    /** Everything that fits the filter, newest first, written as it is read. That it was taken is itself a row. */
    async 'audit.csv'(query, { actor, res }) {
      await publishing.note(actor, { action: 'audit.export', subject: 'audit', detail: { ...query } })
      await streamCsv(res, {
        name: 'audit.csv',
        titles: columns,
        line: cellsOf,
        rows: async (before, limit) => (await publishing.audit({ ...query, before, limit })).rows,
      })
    },
    events(place, { session, req, res }) {
      stream.open(session, place, req, res)
    },
  }
}
