import * as z from 'zod'
import { ApiProblem } from '#contract/problem.ts'
import { type ChangedRow, rowChanges } from '#contract/topic.ts'
import { type TopicName, topicNames } from '#contract/topics.ts'
import type { Database } from '#server-kit/db/db.ts'
import type { Bus } from '#server-kit/ops/bus.ts'

const change = z.object({
  uid: z.union([z.int().positive(), z.literal('all')]),
  topic: z.enum(topicNames as [TopicName, ...TopicName[]]),
  changed: z.object({ change: z.enum(rowChanges), row: z.record(z.string(), z.unknown()) }).optional(),
})
const busTopic = 'feed.private'
const lostTopic = 'feed.lost'

/** Notifies all connections of a customer, on every node, that some of the customer's data has changed. */
export interface Changes {
  /**
   * Call it after the commit, when the change can be read. It does not wait and does not throw.
   * @param uid `all` for all customers who are connected
   * @param changed the row as the customer's call would answer it, for a topic that carries rows
   */
  tell(uid: number | 'all', topic: TopicName, changed?: ChangedRow): void
  /** Data may have changed without any notification, and nobody knows whose: all customers, on every node, load everything again. */
  lost(): void
  /** @param lost called when changes may be missing @returns a function that removes the listener */
  listen(listener: (uid: number | 'all', topic: TopicName, changed: ChangedRow | undefined) => void, lost?: () => void): () => void
}

export function createChanges(bus: Bus): Changes {
  return {
    tell: (uid, topic, changed) => bus.publish(busTopic, { uid, topic, ...(changed && { changed }) }),
    lost: () => bus.publish(lostTopic, {}),
    listen(listener, lost) {
      const offs = [
        bus.subscribe(busTopic, change, ({ uid, topic, changed }) => listener(uid, topic, changed), lost),
        bus.subscribe(lostTopic, z.object({}), () => lost?.()),
      ]
      return () => {
        for (const off of offs) off()
      }
    },
  }
}

/**
 * The same database. When nobody knows whether a transaction was committed, nobody was notified of its changes: `lost` is called after the
 * next transaction that is committed, because the database can be read again then.
 */
export function tellingLost(database: Database, lost: () => void): Database {
  let isOwed = false
  return {
    ...database,
    async transaction(work) {
      try {
        const done = await database.transaction(work)
        if (isOwed) {
          isOwed = false
          lost()
        }
        return done
      } catch (error) {
        if (error instanceof ApiProblem && error.code === 'outcome_unknown') isOwed = true
        throw error
      }
    },
  }
}
