import { msOf } from '#contract/times.ts'
import type { MessageListProps } from '#widgets/message-list/message-list.props.ts'

export type Message = MessageListProps['messages'][number]

/** An item of the list: a day, or a message with whether it starts and ends a run of its author. */
export type Line =
  | { kind: 'day'; key: string; at: number }
  | { kind: 'message'; key: string; message: Message; first: boolean; last: boolean }

export const messageLimits = {
  /** Rows rendered at first, and added each time that the top is reached. */
  page: 60,
  /** Above this number, old rows are removed when the bottom is reached again. */
  drawnMax: 200,
  /** A longer pause starts a new run. */
  runMs: 300_000,
} as const

export const keyOf = ({ id }: Message): string => String(id)

/** All messages, oldest first. Of two with the same id the newer stands. */
export function inOrder(newestFirst: readonly Message[]): Message[] {
  const seen = new Set<string>()
  const once = (message: Message) => {
    const key = keyOf(message)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  }
  return newestFirst.filter(once).reverse()
}

const author = ({ mine = false, name = '' }: Message) => (mine ? 'mine' : `other ${name}`)

/** List items of messages. @param dayOf text for the day of a time; equal for equal days */
export function linesOf(messages: readonly Message[], dayOf: (ms: number) => string): Line[] {
  const lines: Line[] = []
  let day: string | undefined
  for (const [i, message] of messages.entries()) {
    const ms = msOf(message.at)
    const today = dayOf(ms)
    if (today !== day) {
      lines.push({ kind: 'day', key: `day ${today}`, at: ms })
      day = today
    }
    const joins = (other: Message | undefined) =>
      other !== undefined &&
      author(other) === author(message) &&
      Math.abs(msOf(other.at) - ms) <= messageLimits.runMs &&
      dayOf(msOf(other.at)) === today
    lines.push({
      kind: 'message',
      key: keyOf(message),
      message: { ...message, at: ms },
      first: !joins(messages[i - 1]),
      last: !joins(messages[i + 1]),
    })
  }
  return lines
}

/** Messages added after the newest known one: from others, and whether the reader has just sent one. */
export function arrivals(before: ReadonlySet<string>, messages: readonly Message[]): { fresh: number; sent: boolean } {
  let at = messages.length
  while (at > 0 && !before.has(keyOf(messages[at - 1]!))) at--
  // None of the known messages is left: it is another conversation, in which nothing counts as new.
  if (at === 0) return { fresh: 0, sent: false }
  const added = messages.slice(at)
  return { fresh: added.filter(({ mine }) => !mine).length, sent: added.some(({ sending }) => sending === 'pending') }
}

/**
 * Index of the first rendered message.
 * @param oldest key of the oldest rendered message; undefined or missing: the last page is rendered
 */
export function drawnFrom(messages: readonly Message[], oldest: string | undefined): number {
  const kept = oldest === undefined ? -1 : messages.findIndex((message) => keyOf(message) === oldest)
  return kept >= 0 ? kept : Math.max(0, messages.length - messageLimits.page)
}
