import type { ProductPorts } from '#api-server/kit/module.ts'
import type { RowChange } from '#contract/topic.ts'
import type { TopicName } from '#contract/topics.ts'

/**
 * Tells a customer's apps of a row, which is read after the commit. Where it cannot be read, the apps load the list again. Never waits, never throws.
 * @param row as the customer's call would answer it; undefined where it is gone, which tells nothing
 */
export function tellRow(
  { rowChanged }: Pick<ProductPorts, 'rowChanged'>,
  { uid, topic, change }: { uid: number; topic: TopicName; change: RowChange },
  row: Promise<object | undefined>,
): void {
  row.then(
    (found) => found && rowChanged(uid, topic, { change, row: { ...found } }),
    () => rowChanged(uid, topic),
  )
}
