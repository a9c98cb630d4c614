import { type RawBuilder, sql } from 'kysely'
import type { Check, Range, Space } from '#api-server/ledger/audit/audit.check.ts'

/**
 * Check D2 of the audit: each decision stands in the log of the back office. It also finds a log whose last rows were removed.
 * @param decisions rows of subject, acts (a pattern of actions), operator and times (how often that operator decided)
 */
export const loggedCheck = ({
  says,
  over,
  decisions,
}: {
  says: string
  over: Space
  decisions: (range: Range) => RawBuilder<unknown>
}): Check => ({
  name: 'D2',
  says,
  over,
  breaches: (range) => sql`select format('%s by %s: decided %s times, %s in the log', d.subject, d.operator,
      d.times, count(a.id)) as breach from (${decisions(range)}) d
    left join desk_audit a on a.subject = d.subject and a.operator = d.operator and a.action like d.acts
    group by d.subject, d.operator, d.acts, d.times having count(a.id) < d.times`,
})
