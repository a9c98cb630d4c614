import type { Changes } from '#api-server/feed/changes.ts'
import { contract } from '#contract/contract.ts'
import { type Difference, differenceOf } from '#contract/held.ts'
import { type ChangedRow, rowsOf } from '#contract/topic.ts'
import { topics } from '#contract/topics.ts'
import type { Log } from '#server-kit/ops/log.ts'

/** How a pushed row differs from a row in the list of its call. Of a removed row only the key is sent. */
function differenceOfRow(topic: string, { change, row }: ChangedRow): (Difference & { call: string }) | undefined {
  const call = rowsOf(topic, topics)?.call
  if (call === undefined || change === 'remove') return undefined
  const answer = { list: [row], total: 1 }
  const difference = differenceOf(contract[call as keyof typeof contract].output, answer, true)
  return difference && { call, path: difference.path.replace(/^list\.0\.?/, ''), expected: difference.expected }
}

/** The same notifications. A row that differs from the contract is reported in the log: the app would put it into its lists as it is. */
export const holdRows = (changes: Changes, log: Log): Changes => ({
  ...changes,
  tell(uid, topic, changed) {
    const difference = changed && differenceOfRow(topic, changed)
    if (difference) log.error({ topic, ...difference }, 'feed: a pushed row differs from the contract')
    changes.tell(uid, topic, changed)
  },
})
