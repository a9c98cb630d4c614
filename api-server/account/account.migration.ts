import { type Migration, sqlStep } from '#server-kit/db/db.ts'
import type { StoredSession } from '#server-kit/security/sessions.ts'
import type { TriesRow } from '#server-kit/security/tries.ts'

/** Times are ms UTC. Addresses are canonical, see contract/rules/contact.rules.ts; hashes of passwords name their own parameters. */
export interface AccountRow {
  id: number
  email: string | null
  mobile: string | null
  password_hash: string
  pay_password_hash: string | null
  nickname: string
  head_portrait: string
  signature: string
  credit_score: number
  level: number
  status: 'active' | 'frozen'
  lang: string
  invite_code: string
  invited_by: number | null
  withdraw_hold_until: number | null
  demo: boolean
  created_at: number
}
export interface SessionRow extends StoredSession {
  account_id: number
  device: string
  agent: string
  ip: string
}
export interface CodeRow {
  id: string
  target: string
  scene: string
  account_id: number
  hash: Buffer
  /** Hash of the ticket that the asker was given. */
  ticket: Buffer | null
  /** MAC of the range of addresses of the asker. */
  range: Buffer | null
  wrong: number
  wrong_without_ticket: number
  sent_at: number
  expires_at: number
  used_at: number | null
}

declare module '#server-kit/db/db.ts' {
  interface Tables {
    account: AccountRow
    session: SessionRow
    device: { hash: Buffer; account_id: number; created_at: number; seen_at: number }
    code: CodeRow
    /** Times of sent codes, as JSON. `subject` is a MAC of scene, address and asker. */
    code_count: { subject: string; sent: number[] | string; sent_at: number }
    guard: TriesRow
    second_factor: { account_id: number; secret: Buffer; created_at: number; confirmed_at: number | null; last_step: number }
    recovery_code: { account_id: number; hash: Buffer; used_at: number | null }
    /** Which key this database was written with; see server-kit/security/secrets.ts. */
    secret_key: { version: number; fingerprint: string }
  }
}

const firstId = 100_001

export const accountMigrations: readonly Migration[] = [
  sqlStep(
    'account-base',
    [
      `create sequence account_id as bigint start with ${firstId}`,
      `create table account (id bigint primary key, email text unique, mobile text unique, password_hash text not null,
        pay_password_hash text, nickname text not null, head_portrait text not null default '', signature text not null default '',
        credit_score int not null default 100, level int not null default 0 check (level between 0 and 2),
        status text not null default 'active' check (status in ('active', 'frozen')), lang text not null, invite_code text not null unique,
        invited_by bigint references account (id), withdraw_hold_until bigint, demo boolean not null default false, created_at bigint not null,
        freeze_asked_by bigint, freeze_asked_name text not null default '', check (email is not null or mobile is not null),
        check (invited_by <> id))`,
      'create index account_invited_by on account (invited_by)',
      `create table session (id text primary key, account_id bigint not null references account (id), token_hash bytea not null unique,
        device text not null, agent text not null, ip text not null, created_at bigint not null, seen_at bigint not null,
        expires_at bigint not null)`,
      'create index session_account on session (account_id)',
      `create table device (hash bytea primary key, account_id bigint not null references account (id), created_at bigint not null,
        seen_at bigint not null)`,
      'create index device_account on device (account_id)',
      `create table code (id text primary key, target text not null, scene text not null, account_id bigint not null, hash bytea not null,
        wrong int not null default 0, sent_at bigint not null, expires_at bigint not null, used_at bigint, ticket bytea, range bytea,
        wrong_without_ticket int not null default 0)`,
      'create index code_of on code (scene, account_id, target, sent_at)',
      'create table code_count (subject text primary key, sent json not null, sent_at bigint not null)',
      'create table guard (subject text primary key, tries json not null, tried_at bigint not null)',
      `create table second_factor (account_id bigint primary key references account (id), secret bytea not null, created_at bigint not null,
        confirmed_at bigint, last_step bigint not null default 0)`,
      `create table recovery_code (account_id bigint not null references account (id), hash bytea not null, used_at bigint,
        primary key (account_id, hash))`,
      'create table secret_key (version int primary key, fingerprint text not null)',
    ],
    ['account-1', 'account-2', 'account-3', 'account-4'],
  ),
]
