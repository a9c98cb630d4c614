import { once } from 'node:events'
import type * as z from 'zod'
import type { bodies, queries } from '#config-server/console/bodies.ts'
import type { ConsoleParts } from '#config-server/console/console.ts'
import { type Asked, answered } from '#config-server/console/route.ts'
import { ConsoleRefusal } from '#config-server/operators/refusal.ts'
import type { OutboxMessage, OutboxPage } from '#language/publish/operator-accounts.ts'
import type { AuditChange, AuditPage, AuditRow } from '#language/publish/publishing.ts'
import { lineOf } from '#server-kit/ops/csv.rules.ts'

type Query<N extends keyof typeof queries> = Asked<undefined, z.output<(typeof queries)[N]>>

const rowsAtOnce = 1_000
const rowsMax = 200_000
const columns = ['id', 'time', 'actor', 'action', 'subject', 'from', 'to', 'reason', 'detail', 'chain']
const lineOfRow = ({ id, at, actor, action, subject, fromHash, toHash, reason, detail, chain }: AuditRow) =>
  lineOf([id, new Date(at).toISOString(), actor, action, subject, fromHash, toHash, reason, JSON.stringify(detail), chain])

export function logHandlers({ publishing, outbox, stream }: ConsoleParts) {
  return {
    audit: ({ query }: Query<'audit'>): Promise<AuditPage> => publishing.audit(query),
    change: ({ id }: Asked<undefined, undefined>): Promise<AuditChange> => publishing.auditChange(id),
    /** Everything that fits the filter, newest first, written as it is read. That it was taken is itself a row. */
    async auditCsv({ actor, query, res }: Query<'auditCsv'>): Promise<typeof answered> {
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
      return answered
    },
    /** Addresses are masked in it; all the same every look is a row of the log. */
    async outbox({ actor, query }: Query<'outbox'>): Promise<OutboxPage> {
      if (!outbox) throw new ConsoleRefusal('not_found')
      await publishing.note(actor, { action: 'outbox.read', subject: 'outbox', detail: { ...query } })
      return outbox.page(query)
    },
    /** One message in full, with the code that may stand in it: who read whose message, and why, is a row of the log first. */
    async message({ actor, id, body }: Asked<z.output<(typeof bodies)['reason']>, undefined>): Promise<OutboxMessage> {
      const message = await outbox?.one(id)
      if (!message) throw new ConsoleRefusal('not_found')
      const { kind, to } = message
      await publishing.note(actor, {
        action: 'outbox.open',
        subject: `message ${id}`,
        reason: body.reason,
        detail: { kind, to },
      })
      return message
    },
    events({ session, req, res }: Asked<undefined, undefined>): typeof answered {
      stream.open(session, req, res)
      return answered
    },
  }
}
