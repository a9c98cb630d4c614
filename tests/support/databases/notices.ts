import { createNotices } from '#api-server/notices/notices.ts'
import type { Message } from '#api-server/outbox/post.ts'
import { sentenceOf } from '#contract/calls/notice.kinds.ts'
import type { Database } from '#server-kit/db/db.ts'
import type { Clock } from '#server-kit/ops/clock.ts'

/** Notices of a stage; what would be mailed and pushed is kept. */
export function noticesOn(database: Database, clock: Clock) {
  const mails: Message[] = []
  const pushed: string[] = []
  const notices = createNotices({
    database,
    clock,
    post: { put: async (_tx, message) => void mails.push(message) },
    rowChanged: (uid, topic, changed) =>
      void pushed.push(`${uid} ${topic} ${changed ? `${changed.change} ${changed.row.sentence}` : 'all'}`),
  })
  return { notices, mails, pushed }
}

/** Notices of a customer, oldest first: `option_won 100 130`, the sentence and its amounts and prices. */
export async function noticesOf({ db }: Database, uid: number): Promise<string[]> {
  const rows = await db.selectFrom('customer_notice').selectAll().where('uid', '=', uid).orderBy('id').execute()
  return rows.map(({ figures: { amount, result, price }, ...row }) =>
    [sentenceOf(row), amount, result, price].filter((one) => one !== undefined).join(' '),
  )
}
