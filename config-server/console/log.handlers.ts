import { once } from 'node:events'
import type { ConsoleContext } from '#config-server/console/context.ts'
import type { ConsoleHandlers } from '#config-server/console/mount.ts'
import type { ConsoleCall } from '#contract/console.calls.ts'
import type { AuditRow } from '#language/publish/publishing.ts'
import { lineOf } from '#server-kit/ops/csv.rules.ts'

type LogCall = Extract<ConsoleCall, `audit.${string}`> | 'events'

const rowsAtOnce = 1_000
const rowsMax = 200_000
const columns = ['id', 'time', 'actor', 'action', 'subject', 'from', 'to', 'reason', 'detail', 'chain']
const lineOfRow = ({ id, at, actor, action, subject, fromHash, toHash, reason, detail, chain }: AuditRow) =>
  lineOf([id, new Date(at).toISOString(), actor, action, subject, fromHash, toHash, reason, JSON.stringify(detail), chain])

export function logHandlers({ publishing, stream }: ConsoleContext): ConsoleHandlers<LogCall> {
  return {
    'audit.page': (filter) => publishing.audit(filter),
    'audit.change': ({ id }) => publishing.auditChange(id),
    /** Everything that fits the filter, newest first, written as it is read. That it was taken is itself a row. */
    async 'audit.csv'(query, { actor, res }) {
      await publishing.note(actor, { action: 'audit.export', subject: 'audit', detail: { ...query } })
      let page = await publishing.audit({ ...query, limit: rowsAtOnce })
      res.setHeader('Content-Type', 'text/csv; charset=utf-8; header=present')
      res.setHeader('Content-Disposition', 'attachment; filename="audit.csv"')
      res.write(lineOf(columns))
      for (let written = 0; page.rows.length > 0 && written < rowsMax && !res.destroyed; written += page.rows.length) {
        if (!res.write(page.rows.map(lineOfRow).join(''))) await Promise.race([once(res, 'drain'), once(res, 'close')])
        page = await publishing.audit({ ...query, before: page.rows.at(-1)!.id, limit: rowsAtOnce })
      }
      res.end()
    },
    events(place, { session, req, res }) {
      stream.open(session, place, req, res)
    },
  }
}
