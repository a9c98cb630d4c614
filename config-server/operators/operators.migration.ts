import type { Role } from '#language/publish/publishing.ts'
import { type Migration, sqlStep } from '#server-kit/db/db.ts'
import type { StoredSession } from '#server-kit/security/sessions.ts'
import type { TriesRow } from '#server-kit/security/tries.ts'

/** Times are ms UTC. Operators are never removed: the log names them. */
export interface OperatorRow {
  id: number
  name: string
  /** Name as it is compared; see operator.rules.ts. */
  name_key: string
  roles: Role[] | string
  frozen: boolean
  /** null until a set-up link was used, and again after a reset. */
  password_hash: string | null
  /** Sealed. */
  secret: Buffer | null
  /** Number of the last step whose code was taken; that one and older ones are refused. */
  last_step: number
  created_at: number
  seen_at: number | null
  /** Sealed: a second factor that waits for its first code. */
  next_secret: Buffer | null
}
export interface OperatorSessionRow extends StoredSession {
  operator_id: number
  agent: string
  fresh_until: number
  /** Of a program, such as the command line: its token came in the answer of the login. False: of a browser, in a cookie. */
  program: boolean
}
export interface OperatorLinkRow {
  token_hash: Buffer
  kind: 'first' | 'invite' | 'reset'
  /** null for the first operator, whom the set-up makes. */
  operator_id: number | null
  created_at: number
  expires_at: number
  /** The credentials that were typed and wait for their first code. */
  name: string | null
  password_hash: string | null
  /** Sealed. */
  secret: Buffer | null
}

declare module '#server-kit/db/db.ts' {
  interface Tables {
    config_operator: OperatorRow
    config_operator_session: OperatorSessionRow
    /** Codes that have not been used; `mac` is bound to the operator. */
    config_operator_recovery: { operator_id: number; mac: Buffer }
    /** Only links that may still be used. */
    config_operator_link: OperatorLinkRow
    config_operator_guard: TriesRow
  }
}

/** Tables of those who operate the console; customers have their own, and neither knows the other. */
export const operatorMigrations: readonly Migration[] = [
  sqlStep(
    'config-operators-base',
    [
      'create sequence config_operator_id as bigint',
      `create table config_operator (id bigint primary key default nextval('config_operator_id'), name text not null,
        name_key text not null unique, roles json not null, frozen boolean not null default false, password_hash text, secret bytea,
        last_step bigint not null default 0, created_at bigint not null, seen_at bigint, next_secret bytea,
        check ((password_hash is null) = (secret is null)))`,
      `create table config_operator_session (id text primary key, operator_id bigint not null references config_operator (id),
        token_hash bytea not null unique, agent text not null, created_at bigint not null, seen_at bigint not null, expires_at bigint not null,
        fresh_until bigint not null, program boolean not null default false)`,
      'create index config_operator_session_of on config_operator_session (operator_id)',
      `create table config_operator_recovery (operator_id bigint not null references config_operator (id), mac bytea not null,
        primary key (operator_id, mac))`,
      `create table config_operator_link (token_hash bytea primary key, kind text not null,
        operator_id bigint references config_operator (id), created_at bigint not null, expires_at bigint not null, name text, password_hash text,
        secret bytea, check ((kind = 'first') = (operator_id is null)))`,
      'create table config_operator_guard (subject text primary key, tries json not null, tried_at bigint not null)',
    ],
    ['config-operators-1', 'config-operators-2', 'config-operators-3'],
  ),
]
