import * as z from 'zod'
import { type PrivateTopic, privateTopics } from '#contract/feed.ts'
import type { Bus } from '#server-kit/bus.ts'

const change = z.object({ uid: z.int().positive(), topic: z.enum(privateTopics) })
const busTopic = 'feed.private'

/** Tells the open apps of one customer, whatever node they are at, that something of theirs is another now. */
export interface Changes {
  /** To be called once what changed can be read: after the transaction. Never waits, never throws. */
  tell(uid: number, topic: PrivateTopic): void
  /** @returns a function that ends it */
  listen(listener: (uid: number, topic: PrivateTopic) => void): () => void
}

export function createChanges(bus: Bus): Changes {
  return {
    tell: (uid, topic) => bus.publish(busTopic, { uid, topic }),
    listen: (listener) => bus.subscribe(busTopic, change, ({ uid, topic }) => listener(uid, topic)),
  }
}
