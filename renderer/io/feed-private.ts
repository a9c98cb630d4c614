import { type FeedMessage, type FeedRequest, feedLimits, type PrivateTopic, privateTopics } from '#contract/feed.ts'
import type { Timers } from '#renderer/io/retry.ts'

type Greeting = Extract<FeedRequest, { action: 'checkToken' }>
type Accepted = Extract<FeedMessage, { data: { epoch: string } }>['data']

export const isPrivate = (message: FeedMessage): message is Extract<FeedMessage, { action: PrivateTopic }> =>
  (privateTopics as readonly string[]).includes(message.action)

/**
 * What the server says of the customer's own. Up to where it was heard is remembered, so that a new connection goes on from there; where that
 * cannot be, everything counts as changed. What changes often is told four times a second at most.
 */
export function createPrivate({ setTimeout }: Timers) {
  /** `secret`: the token that the numbers belong to. */
  let place: { secret: string; epoch: string; seq: number } | undefined
  let asking: string | undefined
  const changed = new Set<PrivateTopic>()
  const listeners = new Set<(topic: PrivateTopic) => void>()
  let waits = false

  /** Without a listener it is kept for the first. */
  function flush(): void {
    waits = false
    if (listeners.size === 0) return
    const topics = [...changed]
    changed.clear()
    for (const topic of topics) for (const run of listeners) run(topic)
  }
  function tell(...topics: readonly PrivateTopic[]): void {
    for (const topic of topics) changed.add(topic)
    if (waits) return
    waits = true
    setTimeout(flush, feedLimits.quoteEveryMs)
  }

  return {
    greeting(secret: string | undefined): Greeting {
      asking = secret
      if (place?.secret !== secret) place = undefined
      const resume = place && { resume: { epoch: place.epoch, seq: place.seq } }
      const caps = ['seq', 'trades', ...(secret ? ['private'] : [])]
      return { action: 'checkToken', ...(secret && { token: secret }), v: 2, caps, ...resume }
    },
    accepted({ epoch, private: own }: Accepted): void {
      if (!own || asking === undefined) return
      if (own.resumed && place) return
      place = { secret: asking, epoch, seq: own.seq }
      tell(...privateTopics)
    },
    read({ action, seq }: { action: PrivateTopic; seq: number }): void {
      if (!Number.isInteger(seq)) throw new TypeError('a message without its number')
      // A number that was left out may have been about anything.
      if (place && seq !== place.seq + 1) tell(...privateTopics)
      if (place) place = { ...place, seq }
      tell(action)
    },
    onTold(run: (topic: PrivateTopic) => void): () => void {
      listeners.add(run)
      if (changed.size > 0) tell()
      return () => void listeners.delete(run)
    },
  }
}
