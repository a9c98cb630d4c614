import type { BackOfficeAction } from '#contract/calls/office.rows.ts'
import { type Migration, sqlStep } from '#server-kit/db/db.ts'

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

declare module '#server-kit/db/db.ts' {
  interface Tables {
    desk_audit: BackOfficeAuditRow
  }
}

/** From this worth in USD on two different operators must approve, until an administrator says otherwise. */
const fourEyesUsd = '10000'

/** The log can only be added to: the database itself refuses the rest. One proposal at a time waits for each rule. */
export const backOfficeMigrations: readonly Migration[] = [
  sqlStep(
    'back-office-base',
    [
      `create table desk_audit (id bigint primary key, at bigint not null, operator_id bigint not null, operator text not null,
        action text not null, subject text not null, detail text not null, chain text not null)`,
      'create index desk_audit_subject on desk_audit (subject, id)',
      "create index desk_audit_changes on desk_audit (id) where action ~ '^(settings|instrument|hours|offer)[.]'",
      `create function desk_audit_keeps() returns trigger language plpgsql as $$
      begin raise exception 'the log of the desk is only added to'; end $$`,
      'create trigger desk_audit_rows before update or delete on desk_audit for each row execute function desk_audit_keeps()',
      'create trigger desk_audit_table before truncate on desk_audit for each statement execute function desk_audit_keeps()',
      "create table desk_setting (name text primary key, value text not null, changed_by text not null default '', changed_at bigint)",
      `insert into desk_setting (name, value) values ('four_eyes_usd', '${fourEyesUsd}')`,
      `create table desk_proposal (id int generated always as identity primary key, name text not null references desk_setting,
        from_value text not null, to_value text not null, operator_id bigint not null, operator text not null, at bigint not null,
        state text not null default 'open' check (state in ('open', 'agreed', 'withdrawn', 'refused', 'overtaken')),
        decided_by text not null default '', decided_at bigint, check ((state = 'open') = (decided_at is null)))`,
      "create unique index desk_proposal_open on desk_proposal (name) where state = 'open'",
    ],
    ['desk-1', 'desk-2', 'desk-3', 'desk-4'],
  ),
]
