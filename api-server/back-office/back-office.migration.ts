import { type Generated, sql } from 'kysely'
import type { BackOfficeAction } from '#contract/calls/office.rows.ts'
import { chainOf, chainStart } from '#server-kit/db/audit-log.ts'
import { type Migration, takeTurnIn, writeAny } from '#server-kit/db/db.ts'

/** One row of the back office's log. Times are ms UTC. */
export interface BackOfficeAuditRow {
  id: number
  at: number
  /** Number of the operator in the console. */
  operator_id: number
  /** Name that the operator had then. */
  operator: string
  action: BackOfficeAction
  subject: string
  detail: string
  /** Hash over the row before and this one. */
  chain: string
}

/** A change of a rule that a second administrator must agree to. */
export interface BackOfficeProposalRow {
  id: Generated<number>
  /** Of the setting. */
  name: string
  from_value: string
  to_value: string
  /** Who proposed it. */
  operator_id: number
  operator: string
  at: number
  /** overtaken: the rule was made stricter meanwhile. */
  state: 'open' | 'agreed' | 'withdrawn' | 'refused' | 'overtaken'
  /** Empty while it is open. */
  decided_by: string
  decided_at: number | null
}

declare module '#server-kit/db/db.ts' {
  interface Tables {
    desk_audit: BackOfficeAuditRow
    /** Rules of the back office; `changed_at` is null while nobody has changed one. */
    desk_setting: { name: string; value: string; changed_by: string; changed_at: number | null }
    desk_proposal: BackOfficeProposalRow
  }
}

/** From this worth in USD on two different operators must approve, until an administrator says otherwise. */
const fourEyesUsd = '10000'

/** The log can only be added to: the database itself refuses the rest. */
export const backOfficeMigration: Migration = {
  id: 'desk-1',
  async up(tx) {
    await sql`create table desk_audit (id bigint primary key, at bigint not null, operator_id bigint not null, operator text not null,
      action text not null, subject text not null, detail text not null, chain text not null)`.execute(tx)
    await sql`create index desk_audit_subject on desk_audit (subject, id)`.execute(tx)
    await sql`create function desk_audit_keeps() returns trigger language plpgsql as $$
      begin raise exception 'the log of the desk is only added to'; end $$`.execute(tx)
    await sql`create trigger desk_audit_rows before update or delete on desk_audit for each row execute function desk_audit_keeps()`.execute(
      tx,
    )
    await sql`create trigger desk_audit_table before truncate on desk_audit for each statement execute function desk_audit_keeps()`.execute(
      tx,
    )
    await sql`create table desk_setting (name text primary key, value text not null, changed_by text not null default '',
      changed_at bigint)`.execute(tx)
    await sql`insert into desk_setting (name, value) values ('four_eyes_usd', ${fourEyesUsd})`.execute(tx)
  },
}

/** One proposal at a time waits for each rule. */
export const backOfficeProposalMigration: Migration = {
  id: 'desk-2',
  async up(tx) {
    await sql`create table desk_proposal (id int generated always as identity primary key, name text not null references desk_setting,
      from_value text not null, to_value text not null, operator_id bigint not null, operator text not null, at bigint not null,
      state text not null default 'open' check (state in ('open', 'agreed', 'withdrawn', 'refused', 'overtaken')),
      decided_by text not null default '', decided_at bigint, check ((state = 'open') = (decided_at is null)))`.execute(tx)
    await sql`create unique index desk_proposal_open on desk_proposal (name) where state = 'open'`.execute(tx)
  },
}

/** Rows of the log about settings, terms, hours, halts and offers. The query of the last one has these words too, so that it uses the index. */
export const aboutShownChanges = sql<boolean>`action ~ '^(settings|instrument|hours|offer)[.]'`

export const backOfficeChangesMigration: Migration = {
  id: 'desk-3',
  async up(tx) {
    await sql`create index desk_audit_changes on desk_audit (id) where ${aboutShownChanges}`.execute(tx)
  },
}

/** Text of a row that is hashed into the chain. */
export const saidIn = ({ id, at, operator_id, operator, action, subject, detail }: Omit<BackOfficeAuditRow, 'chain'>): string =>
  JSON.stringify([id, at, operator_id, operator, action, subject, detail])

interface MissingRow {
  action: BackOfficeAction
  subject: string
  operator_id: number
  operator: string
  deal: string
  /** ms UTC: when the offer last changed. */
  changed_at: number
}

const rowsAtOnce = 500

/**
 * Adds two kinds of rows that the audit log lacks, because earlier builds never wrote them: those of the demo desk (numbers and names as in
 * otc/desk.ts), and the closing of an offer by the decision that replaced it. Without them check D2 of the audit fails and calls that move
 * money are refused. The added rows say that they were added later. A row that an operator's decision lacks is not added: somebody removed it.
 */
export const offersLoggedMigration: Migration = {
  id: 'desk-4',
  async up(tx) {
    await takeTurnIn({ engine: 'postgres' }, tx, 'backOfficeLog')
    const { rows: missing } = await sql<MissingRow>`select d.action, d.subject, d.operator_id, d.operator, d.changed_at,
        format('house %s %s %s at %s %s', case o.side when 'buy' then 'sells' else 'buys' end, trim_scale(o.whole), c.code, trim_scale(o.price), q.code) as deal
      from (
        select o.id, e.place, e.action, 'offer:' || o.id as subject, desk.operator_id, desk.operator, o.changed_at
        from otc_offer o cross join lateral (values (1, 'offer.propose', o.proposed_by), (2, 'offer.agree', o.decided_by),
          (3, 'offer.close', o.closed_by)) as e (place, action, operator)
        join (values (-1, 'Desk (demo)'), (-2, 'Desk review (demo)')) as desk (operator_id, operator) on desk.operator = e.operator
        where o.proposed_by_id = -1
        union
        select o.id, 3, 'offer.close', 'offer:' || o.id, a.operator_id, a.operator, o.changed_at
        from otc_offer o join otc_offer r on r.replaces = o.id
        join desk_audit a on a.subject = 'offer:' || r.id and a.action = 'offer.agree' and a.operator = o.closed_by) d
      join otc_offer o on o.id = d.id join currency c on c.id = o.currency_id join currency q on q.id = o.quote_id
      where not exists (select from desk_audit a where a.subject = d.subject and a.operator = d.operator and a.action = d.action)
      order by d.id, d.place`.execute(tx)
    const { rows: last } = await sql<
      Pick<BackOfficeAuditRow, 'id' | 'chain'>
    >`select id, chain from desk_audit order by id desc limit 1`.execute(tx)
    let { id, chain } = last[0] ?? { id: 0, chain: chainStart }
    const at = Date.now()
    const rows = missing.map(({ action, subject, operator_id, operator, deal, changed_at }): BackOfficeAuditRow => {
      const detail = `${deal} (added later: the row was missing; the offer last changed ${new Date(changed_at).toISOString()})`
      const row = { id: ++id, at, operator_id, operator, action, subject, detail }
      chain = chainOf(chain, saidIn(row))
      return { ...row, chain }
    })
    for (let from = 0; from < rows.length; from += rowsAtOnce)
      await writeAny(tx.insertInto('desk_audit').values(rows.slice(from, from + rowsAtOnce)))
  },
}
