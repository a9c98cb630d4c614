import { type ChangeMessage, type FeedMessage, type FeedRequest, feedLimits } from '#contract/feed.ts'
import { rowChanges, rowsOf, type TopicMessage, type TopicTable } from '#contract/topic.ts'
import type { Timers } from '#renderer/calls/retry.ts'

type Greeting = Extract<FeedRequest, { action: 'checkToken' }>
type Accepted = Extract<FeedMessage, { data: { epoch: string } }>['data']

/** So long after a gap, another node may still announce new rows that the answers of after the gap have no longer. */
const lateMs = 5_000
/** State of a row that was removed. */
const removed = Number.POSITIVE_INFINITY

/**
 * Receives the server's messages about the customer's own data. The last number received is remembered, so that a new connection continues
 * from there; where that is not possible, everything counts as changed. Topics that change often are announced four times a second at most,
 * rows in the order in which they came.
 */
export function createPrivate({ setTimeout, clearTimeout }: Timers, table: TopicTable) {
  const topicNames = Object.keys(table)
  /** `secret`: the token that the numbers belong to. */
  let place: { secret: string; epoch: string; seq: number } | undefined
  let asking: string | undefined
  /** Topics of which everything may have changed. */
  const changed = new Set<string>()
  let rows: TopicMessage[] = []
  const listeners = new Set<(message: TopicMessage) => void>()
  let waits = false
  /** Newest state of each row on each topic that was received. Nodes hear of each other late, so an older one may come after it. */
  const newest = new Map<string, number>()
  /** Runs for `lateMs` after a gap. */
  let late: unknown

  /** Without a listener it is kept for the first. */
  function flush(): void {
    waits = false
    if (listeners.size === 0) return
    const all: TopicMessage[] = [...[...changed].map((topic) => ({ topic })), ...rows]
    changed.clear()
    rows = []
    for (const message of all) for (const run of listeners) run(message)
  }
  function soon(): void {
    if (waits) return
    waits = true
    setTimeout(flush, feedLimits.gatherMs)
  }
  /** A topic that is loaded again anyway needs no rows. */
  function tell(...topics: readonly string[]): void {
    for (const topic of topics) changed.add(topic)
    rows = rows.filter(({ topic }) => !changed.has(topic))
    soon()
  }
  function tellRow(message: TopicMessage): void {
    if (changed.has(message.topic)) return
    rows.push(message)
    if (rows.length > feedLimits.rowsWaitingMax) tell(...new Set(rows.map(({ topic }) => topic)))
    else soon()
  }

  /** The changes in between are not known. */
  function tellGap(): void {
    tell(...topicNames)
    clearTimeout(late)
    late = setTimeout(() => {
      late = undefined
    }, lateMs)
  }

  /** The row of a message, `old` when a newer state was received; undefined where only loading its list again gives the present state. */
  function readRow({ action: topic, change, row }: ChangeMessage): TopicMessage | 'old' | undefined {
    const rows = rowsOf(topic, table)
    if (!rows || !change || !rowChanges.includes(change) || typeof row !== 'object' || row === null) return undefined
    if (row[rows.key] === undefined) return undefined
    const name = `${topic} ${row[rows.key]}`
    const state = change === 'remove' ? removed : rows.stamp === undefined ? 0 : Number(row[rows.stamp])
    const before = newest.get(name) ?? state
    const isBack = before === removed && state !== removed
    if (state < before && !isBack) return 'old'
    newest.delete(name)
    newest.set(name, state)
    if (newest.size > feedLimits.rowsKeptMax) newest.delete(newest.keys().next().value as string)
    return isBack || (change === 'insert' && late !== undefined) ? undefined : { topic, change, row }
  }

  return {
    isChange: (message: FeedMessage | ChangeMessage): message is ChangeMessage => topicNames.includes(message.action),
    greeting(secret: string | undefined): Greeting {
      asking = secret
      if (place?.secret !== secret) {
        place = undefined
        newest.clear()
      }
      const resume = place && { resume: { epoch: place.epoch, seq: place.seq } }
      const caps = ['seq', 'trades', ...(secret ? ['private', 'rows'] : [])]
      return { action: 'checkToken', ...(secret && { token: secret }), v: 2, caps, ...resume }
    },
    accepted({ epoch, private: own }: Accepted): void {
      if (!own || asking === undefined) return
      if (own.resumed && place) return
      const isFirst = place === undefined
      place = { secret: asking, epoch, seq: own.seq }
      if (isFirst) tell(...topicNames)
      else tellGap()
    },
    read(message: ChangeMessage): void {
      const { action: topic, seq } = message
      if (!Number.isInteger(seq)) throw new TypeError('a message without its number')
      // A number that was left out may have been about anything.
      if (place && seq !== place.seq + 1) tellGap()
      if (place) place = { ...place, seq }
      const row = readRow(message)
      if (row === 'old') return
      if (row) tellRow(row)
      else tell(topic)
    },
    onTopicMessage(run: (message: TopicMessage) => void): () => void {
      listeners.add(run)
      if (changed.size > 0 || rows.length > 0) soon()
      return () => void listeners.delete(run)
    },
  }
}
