import { sql } from 'kysely'
import type { DeskAction } from '#contract/desk.rows.ts'
import type { Migration } from '#server-kit/migrate.ts'

/** One row of the desk's log. Times are ms UTC. */
export interface DeskAuditRow {
  id: number
  at: number
  /** Number of the operator in the console. */
  operator_id: number
  /** Name that the operator had then. */
  operator: string
  action: DeskAction
  subject: string
  detail: string
  /** Hash over the row before and this one. */
  chain: string
}

declare module '#server-kit/db.ts' {
  interface Tables {
    desk_audit: DeskAuditRow
    /** Rules of the desk; `changed_at` is null while nobody has changed one. */
    desk_setting: { name: string; value: string; changed_by: string; changed_at: number | null }
  }
}

/** From this worth in USD on two different operators must approve, until an administrator says otherwise. */
const fourEyesUsd = '10000'

/** The log can only be added to: the database itself refuses the rest. */
export const deskMigration: Migration = {
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
