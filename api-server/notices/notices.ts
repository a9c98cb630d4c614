import { createContacts } from '#api-server/account/contact.reads.ts'
import { messageOf } from '#api-server/notices/message.ts'
import type { Notices } from '#api-server/notices/notice.ts'
import { createNoticesStore, type StoredNotice } from '#api-server/notices/notices.store.ts'
import type { Post } from '#api-server/outbox/post.ts'
import type { NoticeRow, noticeCalls } from '#contract/calls/notice.calls.ts'
import { type CustomerNotice, kindOf, linkOf, sentenceOf } from '#contract/calls/notice.kinds.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { ChangedRow } from '#contract/topic.ts'
import type { TopicName } from '#contract/topics.ts'
import { afterCommit, type Database, type Tx } from '#server-kit/db/db.ts'
import type { Handlers } from '#server-kit/http/http.ts'
import type { Clock } from '#server-kit/ops/clock.ts'
import type { PlannedJob } from '#server-kit/ops/every.ts'

interface NoticesDeps {
  database: Database
  clock: Clock
  post: Post
  /** Pushes to a customer's apps; called after the commit. */
  rowChanged: (uid: number, topic: TopicName, changed?: ChangedRow) => void
}

export interface NoticesModule extends Notices {
  readonly handlers: Handlers<typeof noticeCalls>
  /** Removes notices whose time is over. */
  removeOld(): Promise<void>
  /** Removes old notices. */
  readonly jobs: readonly PlannedJob[]
}

export const noticeLimits = { keptMs: 180 * 24 * 3_600_000, purgeEveryMs: 3_600_000, purgeRows: 5_000 } as const

function rowOf({ id, kind, word, subject, figures, created_at, seen_at }: StoredNotice): NoticeRow {
  const { group, about, tone, pressed } = kindOf(kind)
  return {
    id,
    kind,
    sentence: sentenceOf({ kind, word }),
    group,
    about,
    tone,
    figures,
    link: linkOf(kind, subject, figures),
    toast: !pressed,
    time: created_at,
    seen: seen_at,
    rev: seen_at === null ? 1 : 2,
  }
}

/** Notices to customers: stored, pushed, mailed, listed. */
export function createNotices({ database, clock, post, rowChanged }: NoticesDeps): NoticesModule {
  const store = createNoticesStore(database)
  const contacts = createContacts(database)

  async function mail(tx: Tx, notices: readonly CustomerNotice[], at: number): Promise<void> {
    const mailed = notices.filter(({ kind }) => kindOf(kind).mail)
    if (!mailed.length) return
    const found = await contacts(
      tx,
      mailed.map(({ uid }) => uid),
    )
    for (const notice of mailed) {
      const contact = found.get(notice.uid)
      if (contact) await post.put(tx, messageOf(contact, notice, at))
    }
  }
  async function notifyAll(tx: Tx, notices: readonly CustomerNotice[]): Promise<void> {
    if (!notices.length) return
    const at = clock.now()
    const rows = notices.map(({ uid, kind, word, subject, figures }) => ({
      uid,
      kind,
      word: word ?? null,
      subject: subject ?? null,
      figures,
    }))
    const stored = await store.add(tx, rows, at)
    await mail(tx, notices, at)
    afterCommit(tx, () => {
      for (const row of stored) rowChanged(row.uid, 'notices', { change: 'insert', row: rowOf(row) })
    })
  }
  async function removeOld(): Promise<void> {
    const before = clock.now() - noticeLimits.keptMs
    while ((await store.removeOld(before, noticeLimits.purgeRows)) === noticeLimits.purgeRows);
  }

  return {
    notify: (tx, uid, notice) => notifyAll(tx, [{ ...notice, uid }]),
    notifyAll,
    removeOld,
    handlers: {
      async 'notice.list'({ group, page, size }, { user }) {
        const { rows, total } = await store.find(user.uid, group, { page, size })
        return { list: rows.map(rowOf), total }
      },
      'notice.unread': async (_input, { user }) => ({ unread: await store.unread(user.uid) }),
      'notice.seen': ({ id }, { user: { uid } }) =>
        database.transaction(async (tx) => {
          const seen = await store.see(tx, uid, id, clock.now())
          if (seen) afterCommit(tx, () => rowChanged(uid, 'notices', { change: 'update', row: rowOf(seen) }))
          else if (!(await store.isThere(tx, uid, id))) throw new ApiProblem('not_found', { field: 'id' })
          return { unread: await store.unread(uid, tx) }
        }),
      'notice.seenAll': ({ until }, { user: { uid } }) =>
        database.transaction(async (tx) => {
          // The apps load the list again.
          if (await store.seeAll(tx, uid, until, clock.now())) afterCommit(tx, () => rowChanged(uid, 'notices'))
          return { unread: await store.unread(uid, tx) }
        }),
    },
    jobs: [{ name: 'notices', everyMs: noticeLimits.purgeEveryMs, work: removeOld }],
  }
}
