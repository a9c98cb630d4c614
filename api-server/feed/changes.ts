import * as z from 'zod'
import { type ChangedRow, rowChanges } from '#contract/topic.ts'
import { type TopicName, topicNames } from '#contract/topics.ts'
import type { Bus } from '#server-kit/ops/bus.ts'

const change = z.object({
  uid: z.int().positive(),
  topic: z.enum(topicNames as [TopicName, ...TopicName[]]),
  changed: z.object({ change: z.enum(rowChanges), row: z.record(z.string(), z.unknown()) }).optional(),
})
const busTopic = 'feed.private'

/** Notifies all connections of a customer, on every node, that some of the customer's data has changed. */
export interface Changes {
  /**
   * Call it after the commit, when the change can be read. It does not wait and does not throw.
   * @param changed the row as the customer's call would answer it, for a topic that carries rows
   */
  tell(uid: number, topic: TopicName, changed?: ChangedRow): void
  /** @param lost called when changes that other nodes told of may be missing @returns a function that removes the listener */
  listen(listener: (uid: number, topic: TopicName, changed: ChangedRow | undefined) => void, lost?: () => void): () => void
}

export function createChanges(bus: Bus): Changes {
  return {
    tell: (uid, topic, changed) => bus.publish(busTopic, { uid, topic, ...(changed && { changed }) }),
    listen: (listener, lost) => bus.subscribe(busTopic, change, ({ uid, topic, changed }) => listener(uid, topic, changed), lost),
  }
}
