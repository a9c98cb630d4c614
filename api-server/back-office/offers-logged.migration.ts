import { sql } from 'kysely'
import { saidIn } from '#api-server/back-office/audit.store.ts'
import type { BackOfficeAuditRow } from '#api-server/back-office/back-office.migration.ts'
import type { BackOfficeAction } from '#contract/calls/office.rows.ts'
import { chainOf, chainStart } from '#server-kit/db/audit-log.ts'
import { type Migration, takeTurnIn, writeAny } from '#server-kit/db/db.ts'

interface MissingRow {
  action: BackOfficeAction
  subject: string
  operator: string
  /** Number of an operator of this name in the log; null for the demo desk, which had no rows. */
  operator_id: number | null
  deal: string
  /** ms UTC: when the offer last changed. */
  changed_at: number
}

/** Numbers of the two programs of the demo desk, see otc/desk.ts. Other operators that the log does not know get 0. */
const deskIds: Readonly<Record<string, number>> = { 'Desk (demo)': -1, 'Desk review (demo)': -2 }
const rowsAtOnce = 500

/**
 * Adds the rows of the audit log that offers of OTC lack: the demo desk of earlier builds wrote none, and the closing of a replaced offer had
 * none of its own. Without them check D2 of the audit fails and calls that move money are refused. The added rows say that they were added later.
 */
export const offersLoggedMigration: Migration = {
  id: 'desk-4',
  async up(tx) {
    await takeTurnIn({ engine: 'postgres' }, tx, 'backOfficeLog')
    const { rows: missing } = await sql<MissingRow>`select d.action, d.subject, d.operator, d.deal, d.changed_at,
        (select a.operator_id from desk_audit a where a.operator = d.operator order by a.id desc limit 1) as operator_id
      from (select o.id, e.place, e.action, e.operator, 'offer:' || o.id as subject, o.changed_at,
          format('house %s %s %s at %s %s', case o.side when 'buy' then 'sells' else 'buys' end, trim_scale(o.whole), c.code, trim_scale(o.price), q.code) as deal
        from otc_offer o join currency c on c.id = o.currency_id join currency q on q.id = o.quote_id
        cross join lateral (values (1, 'offer.propose', o.proposed_by),
          (2, case o.status when 'withdrawn' then 'offer.withdraw' when 'refused' then 'offer.refuse' else 'offer.agree' end, o.decided_by),
          (3, 'offer.close', o.closed_by)) as e (place, action, operator)
        where e.operator <> '') d
      where not exists (select from desk_audit a where a.subject = d.subject and a.operator = d.operator and a.action = d.action)
      order by d.id, d.place`.execute(tx)
    const { rows: last } = await sql<
      Pick<BackOfficeAuditRow, 'id' | 'chain'>
    >`select id, chain from desk_audit order by id desc limit 1`.execute(tx)
    let { id, chain } = last[0] ?? { id: 0, chain: chainStart }
    const at = Date.now()
    const rows = missing.map(({ action, subject, operator, operator_id, deal, changed_at }): BackOfficeAuditRow => {
      const detail = `${deal} (added later: the row was missing; the offer last changed ${new Date(changed_at).toISOString()})`
      const row = { id: ++id, at, operator_id: operator_id ?? deskIds[operator] ?? 0, operator, action, subject, detail }
      chain = chainOf(chain, saidIn(row))
      return { ...row, chain }
    })
    for (let from = 0; from < rows.length; from += rowsAtOnce)
      await writeAny(tx.insertInto('desk_audit').values(rows.slice(from, from + rowsAtOnce)))
  },
}
