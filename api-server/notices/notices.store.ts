import type { Selectable } from 'kysely'
import type { NoticeTable } from '#api-server/notices/notices.migration.ts'
import { unreadMost } from '#contract/calls/notice.calls.ts'
import { type NoticeKindName, noticeKindNames, noticeKinds } from '#contract/calls/notice.kinds.ts'
import { type Database, fixed, type Tx, write, writeAny } from '#server-kit/db/db.ts'
import { countOf, type PageAsk, pageOf } from '#server-kit/http/list-bounds.ts'

export type StoredNotice = Selectable<NoticeTable>
export type NewNotice = Pick<StoredNotice, 'uid' | 'kind' | 'word' | 'subject' | 'figures'>

const inserted = fixed<Pick<StoredNotice, 'id'>>(`insert into customer_notice (uid, kind, word, subject, figures, created_at)
  select uid, kind, word, subject, figures::jsonb, $6 from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[])
    with ordinality as new (uid, kind, word, subject, figures, place) order by place returning id`)

const removed = fixed(`delete from customer_notice where ctid = any(array(
  select ctid from customer_notice where created_at < $1 limit $2))`)

const kindsOf = (group: string): NoticeKindName[] => noticeKindNames.filter((kind) => noticeKinds[kind].group === group)

export function createNoticesStore({ db }: Database) {
  const listed = (uid: number, group: string | undefined) => {
    const all = db.selectFrom('customer_notice').where('uid', '=', uid)
    return group === undefined ? all : all.where('kind', 'in', kindsOf(group))
  }
  const unseen = (tx: Tx, uid: number, at: number) =>
    tx.updateTable('customer_notice').set({ seen_at: at }).where('uid', '=', uid).where('seen_at', 'is', null)

  return {
    async add(tx: Tx, rows: readonly NewNotice[], at: number): Promise<StoredNotice[]> {
      const ids = await write(
        rows.length,
        inserted(tx, [
          rows.map((row) => row.uid),
          rows.map((row) => row.kind),
          rows.map((row) => row.word),
          rows.map((row) => row.subject),
          rows.map((row) => JSON.stringify(row.figures)),
          at,
        ]),
      )
      return rows.map((row, i) => ({ ...row, id: ids[i]!.id, created_at: at, seen_at: null }))
    },

    async find(uid: number, group: string | undefined, page: PageAsk) {
      return pageOf(db, listed(uid, group).selectAll().orderBy('id', 'desc'), page)
    },

    /** Counted up to `unreadMost`. */
    unread: (uid: number, tx?: Tx): Promise<number> => countOf(tx ?? db, listed(uid, undefined).where('seen_at', 'is', null), unreadMost),

    isThere: async (tx: Tx, uid: number, id: number): Promise<boolean> =>
      (await tx.selectFrom('customer_notice').select('id').where('uid', '=', uid).where('id', '=', id).executeTakeFirst()) !== undefined,

    /** @returns it as it is now, or undefined where it was seen before */
    see: (tx: Tx, uid: number, id: number, at: number): Promise<StoredNotice | undefined> =>
      unseen(tx, uid, at).where('id', '=', id).returningAll().executeTakeFirst(),

    /** @returns how many */
    seeAll: (tx: Tx, uid: number, until: number | undefined, at: number): Promise<number> =>
      writeAny(until === undefined ? unseen(tx, uid, at) : unseen(tx, uid, at).where('id', '<=', until)),

    /** Of the age, at most so many at once. @returns how many */
    removeOld: (before: number, most: number): Promise<number> => writeAny(removed(db, [before, most])),
  }
}
