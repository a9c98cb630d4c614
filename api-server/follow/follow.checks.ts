import { sql } from 'kysely'
import type { Check } from '#api-server/ledger/audit/audit.check.ts'

/** Checks of the tables of copy trading. Written against the tables and not with the code of the module. */
export const followChecks: readonly Check[] = [
  {
    name: 'I6',
    says: 'each position of a trader is copied once for each follower, as that position was',
    over: 'all',
    breaches: () => sql`select format('position %s: copied %s times for %s', trader_position, count(*), uid) as breach from follow_copy
        group by trader_position, uid having count(*) > 1
      union all select format('copy %s: is position %s of %s, copies %s of %s', c.id, p.id, p.uid, t.id, t.uid) from follow_copy c
        join follow f on f.id = c.follow_id left join lever_position p on p.id = c.position_id join lever_position t on t.id = c.trader_position
        where t.uid <> f.trader_uid or c.uid <> f.uid or t.opened < f.created
          or (c.state <> 'skipped' and (p.id is null or p.uid <> c.uid or p.symbol <> t.symbol or p.side <> t.side or p.multiple <> t.multiple))
      union all select format('position %s of %s was closed as a copy, and is none', k.position_id, k.uid) from lever_close k
        where k.reason = 'copied' and not exists (select from follow_copy c where c.position_id = k.position_id)
      union all select format('%s copies %s, who copies others', f.uid, f.trader_uid) from follow f
        join follow g on g.uid = f.trader_uid where f.state = 'active' and g.state = 'active'
      union all select format('%s copies %s, who has ended', f.uid, t.uid) from follow f join trader t on t.uid = f.trader_uid
        where t.ended is not null and (f.state = 'active' or f.created > t.ended)`,
  },
]
