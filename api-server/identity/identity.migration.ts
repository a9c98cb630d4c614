import { sql } from 'kysely'
import type { Level } from '#api-server/identity/identity.rules.ts'
import { proofMachine } from '#api-server/identity/identity.rules.ts'
import type { IdType } from '#contract/rules/document.rules.ts'
import type { Migration } from '#server-kit/db/db.ts'
import { stateGuard, statesMigration } from '#server-kit/db/state-guard.ts'

export interface VerificationTable {
  id: number
  uid: number
  /** The requested level. */
  level: Level
  id_type: IdType
  status: 'reviewing' | 'failed' | 'passed'
  /** Reason for the customer; empty unless rejected. */
  reason: string
  /** Encrypted, like `number`. */
  name: Buffer
  number: Buffer
  /** Addresses of pictures on this origin; empty without a picture. */
  front: string
  reverse: string
  /** Names of operators. */
  decided_by: string
  note: string
  created_at: number
  changed_at: number
  /** Keyed hash of the number, equal for equal numbers; null for rows of earlier releases. */
  number_mark: string | null
}

declare module '#server-kit/db/db.ts' {
  interface Tables {
    verification: VerificationTable
  }
}

export const identityMigration: Migration = {
  id: 'identity-1',
  async up(tx) {
    await sql`create sequence verification_id as int`.execute(tx)
    await sql`create table verification (id int primary key, uid bigint not null references account (id), level int not null check (level in (1, 2)),
      id_type text not null, status text not null check (status in ('reviewing', 'failed', 'passed')), reason text not null default '',
      name bytea not null, number bytea not null, front text not null, reverse text not null, decided_by text not null default '',
      note text not null default '', created_at bigint not null, changed_at bigint not null,
      check (level = 1 or front <> ''), check (status <> 'failed' or reason <> ''), check (status = 'reviewing' or decided_by <> ''))`.execute(
      tx,
    )
    await sql`create unique index verification_open on verification (uid, level) where status <> 'failed'`.execute(tx)
    await sql`create index verification_uid on verification (uid, level, id desc)`.execute(tx)
    await sql`create index verification_status on verification (status, id)`.execute(tx)
    // A trigger makes decided rows immutable.
    await sql`create function verification_keep() returns trigger language plpgsql as $$ begin
      raise exception 'a proof of identity that was decided does not change'; end $$`.execute(tx)
    await sql`create trigger verification_decided before update on verification for each row when (old.status <> 'reviewing')
      execute function verification_keep()`.execute(tx)
    await sql`create trigger verification_gone before delete on verification for each row execute function verification_keep()`.execute(tx)
  },
}

export const identityMarkMigration: Migration = {
  id: 'identity-2',
  async up(tx) {
    await sql`alter table verification add column number_mark text`.execute(tx)
    await sql`create index verification_mark on verification (number_mark) where number_mark is not null`.execute(tx)
  },
}

export const identityStatesMigration = statesMigration(
  'identity-states-1',
  [
    stateGuard({
      table: 'verification',
      column: 'status',
      machine: proofMachine,
      fixed: ['id', 'uid', 'level', 'id_type', 'name', 'number', 'number_mark', 'front', 'reverse', 'created_at'],
    }),
  ],
  ['verification_keep'],
)
