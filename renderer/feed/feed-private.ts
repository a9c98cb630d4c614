import { type ChangeMessage, type FeedMessage, type FeedRequest, feedLimits } from '#contract/feed.ts'
import { rowChanges, rowsOf, type Told, type TopicTable } from '#contract/topic.ts'
import type { Timers } from '#renderer/calls/retry.ts'

type Greeting = Extract<FeedRequest, { action: 'checkToken' }>
type Accepted = Extract<FeedMessage, { data: { epoch: string } }>['data']

/**
 * What the server says of the customer's own. Up to where it was heard is remembered, so that a new connection goes on from there; where that
 * cannot be, everything counts as changed. What changes often is told four times a second at most, rows in the order in which they came.
 */
export function createPrivate({ setTimeout }: Timers, table: TopicTable) {
  const topicNames = Object.keys(table)
  /** `secret`: the token that the numbers belong to. */
  let place: { secret: string; epoch: string; seq: number } | undefined
  let asking: string | undefined
  /** Topics of which everything may have changed. */
  const changed = new Set<string>()
  let rows: Told[] = []
  const listeners = new Set<(told: Told) => void>()
  let waits = false

  /** Without a listener it is kept for the first. */
  function flush(): void {
    waits = false
    if (listeners.size === 0) return
    const all: Told[] = [...[...changed].map((topic) => ({ topic })), ...rows]
    changed.clear()
    rows = []
    for (const told of all) for (const run of listeners) run(told)
  }
  function soon(): void {
    if (waits) return
    waits = true
    setTimeout(flush, feedLimits.gatherMs)
  }
  /** What is loaded again anyway needs no rows. */
  function tell(...topics: readonly string[]): void {
    for (const topic of topics) changed.add(topic)
    rows = rows.filter(({ topic }) => !changed.has(topic))
    soon()
  }
  function tellRow(told: Told): void {
    if (changed.has(told.topic)) return
    rows.push(told)
    if (rows.length > feedLimits.rowsWaitingMax) tell(...new Set(rows.map(({ topic }) => topic)))
    else soon()
  }

  /** The row of a message; undefined for one without, or with something else in its place. */
  function readRow({ action: topic, change, row }: ChangeMessage): Told | undefined {
    const key = rowsOf(topic, table)?.key
    if (key === undefined || !change || !rowChanges.includes(change) || typeof row !== 'object' || row === null) return undefined
    return row[key] === undefined ? undefined : { topic, change, row }
  }

  return {
    isChange: (message: FeedMessage | ChangeMessage): message is ChangeMessage => topicNames.includes(message.action),
    greeting(secret: string | undefined): Greeting {
      asking = secret
      if (place?.secret !== secret) place = undefined
      const resume = place && { resume: { epoch: place.epoch, seq: place.seq } }
      const caps = ['seq', 'trades', ...(secret ? ['private', 'rows'] : [])]
      return { action: 'checkToken', ...(secret && { token: secret }), v: 2, caps, ...resume }
    },
    accepted({ epoch, private: own }: Accepted): void {
      if (!own || asking === undefined) return
      if (own.resumed && place) return
      place = { secret: asking, epoch, seq: own.seq }
      tell(...topicNames)
    },
    read(message: ChangeMessage): void {
      const { action: topic, seq } = message
      if (!Number.isInteger(seq)) throw new TypeError('a message without its number')
      // A number that was left out may have been about anything.
      if (place && seq !== place.seq + 1) tell(...topicNames)
      if (place) place = { ...place, seq }
      const row = readRow(message)
      if (row) tellRow(row)
      else tell(topic)
    },
    onTold(run: (told: Told) => void): () => void {
      listeners.add(run)
      if (changed.size > 0 || rows.length > 0) soon()
      return () => void listeners.delete(run)
    },
  }
}
