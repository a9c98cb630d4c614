import { type ColumnType, type Generated, sql } from 'kysely'
import type { NoticeKindName } from '#contract/calls/notice.kinds.ts'
import type { Migration } from '#server-kit/db/db.ts'

export interface NoticeTable {
  id: Generated<number>
  uid: number
  kind: NoticeKindName
  /** Which variant of the kind. */
  word: string | null
  /** Number of the thing that it is about. */
  subject: number | null
  figures: ColumnType<Record<string, string>, string, string>
  created_at: number
  seen_at: number | null
}
declare module '#server-kit/db/db.ts' {
  interface Tables {
    customer_notice: NoticeTable
  }
}

/** As few indexes as possible, because a settlement adds many rows: rows come by time, so the one by which old ones are removed has no entry for each. */
export const noticesMigration: Migration = {
  id: 'notices-1',
  async up(tx) {
    for (const statement of [
      `create table customer_notice (id bigint generated always as identity, uid bigint not null, kind text not null, word text, subject bigint,
        figures jsonb not null, created_at bigint not null, seen_at bigint, primary key (uid, id))`,
      'create index customer_notice_unread on customer_notice (uid) where seen_at is null',
      'create index customer_notice_created on customer_notice using brin (created_at)',
    ])
      await sql.raw(statement).execute(tx)
  },
}
