import { type Migration, sqlStep } from '#server-kit/db/db.ts'

export interface OutboxRow {
  id: number
  channel: 'mail' | 'sms'
  target: string
  /** code:<scene> or notice:<what>. */
  kind: string
  /**
   * Subject and text, encrypted, so that codes cannot be read from a copy of the database. Empty once the message is sent, dropped or given
   * up.
   */
  message: Buffer
  status: 'waiting' | 'sending' | 'sent' | 'dropped' | 'failed' | 'expired'
  tries: number
  /** Earliest time of the next attempt. While a node is sending: the time after which another node may take over. */
  next_at: number
  expires_at: number | null
  created_at: number
}

declare module '#server-kit/db/db.ts' {
  interface Tables {
    outbox: OutboxRow
  }
}

export const outboxMigrations: readonly Migration[] = [
  sqlStep(
    'outbox-base',
    [
      'create sequence outbox_id as bigint',
      `create table outbox (id bigint primary key default nextval('outbox_id'), channel text not null, target text not null, kind text not null,
        message bytea not null, status text not null, tries int not null default 0, next_at bigint not null, expires_at bigint,
        created_at bigint not null)`,
      "create index outbox_due on outbox (channel, next_at) where status in ('waiting', 'sending')",
      'create index outbox_created on outbox (created_at)',
    ],
    ['outbox-1'],
  ),
]
