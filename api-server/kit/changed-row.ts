import type { ProductPorts } from '#api-server/kit/module.ts'
import type { RowChange } from '#contract/topic.ts'
import type { TopicName } from '#contract/topics.ts'
import type { Log } from '#server-kit/ops/log.ts'

/** Topics whose rows could not be read, by the log of their server. */
const unread = new WeakMap<Log, Set<TopicName>>()
/** One line for each topic: what fails for one row fails for the next. */
function reported(log: Log, topic: TopicName, error: unknown): void {
  const known = unread.get(log) ?? new Set()
  unread.set(log, known)
  if (known.has(topic)) return
  known.add(topic)
  log.error({ topic, err: error }, 'feed: a changed row could not be read; apps load its list again')
}

/**
 * Tells a customer's apps of a row, which is read after the commit. Where it cannot be read, the apps load the list again, and the log says so once. Never waits, never throws.
 * @param row as the customer's call would answer it; undefined where it is gone, which tells nothing
 */
export function tellRow(
  { rowChanged, log }: Pick<ProductPorts, 'rowChanged' | 'log'>,
  { uid, topic, change }: { uid: number; topic: TopicName; change: RowChange },
  row: Promise<object | undefined>,
): void {
  row.then(
    (found) => found && rowChanged(uid, topic, { change, row: { ...found } }),
    (error: unknown) => {
      reported(log, topic, error)
      rowChanged(uid, topic)
    },
  )
}
