import type { Level } from '#api-server/identity/identity.rules.ts'
import { proofMachine } from '#api-server/identity/identity.rules.ts'
import type { IdType } from '#contract/rules/document.rules.ts'
import { type Migration, sqlStep } from '#server-kit/db/db.ts'
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

export const identityMigrations: readonly Migration[] = [
  sqlStep(
    'identity-base',
    [
      'create sequence verification_id as int',
      `create table verification (id int primary key, uid bigint not null references account (id), level int not null check (level in (1, 2)),
        id_type text not null, status text not null check (status in ('reviewing', 'failed', 'passed')), reason text not null default '',
        name bytea not null, number bytea not null, front text not null, reverse text not null, decided_by text not null default '',
        note text not null default '', created_at bigint not null, changed_at bigint not null, number_mark text,
        check (level = 1 or front <> ''), check (status <> 'failed' or reason <> ''), check (status = 'reviewing' or decided_by <> ''))`,
      "create unique index verification_open on verification (uid, level) where status <> 'failed'",
      'create index verification_uid on verification (uid, level, id desc)',
      'create index verification_status on verification (status, id)',
      'create index verification_mark on verification (number_mark) where number_mark is not null',
    ],
    ['identity-1', 'identity-2'],
  ),
  statesMigration(
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
  ),
]
