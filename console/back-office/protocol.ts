/** Messages between the console and the frame of the back office, by postMessage. Both pages have one origin; all other messages are ignored. */

/** Sizes of the queues by the names of their counts, as the call office.counts and the event stream send them. */
export type Counts = Readonly<Record<string, number>>
/** The operator who uses the back office. */
export interface Viewer {
  /** Id of consoleLanguages. */
  language: string
  reviewer: boolean
  administrator: boolean
}

export type ToBackOffice =
  | { kind: 'who'; who: Viewer }
  /** `/recharge?id=3` */
  | { kind: 'open'; address: string }
  /** The answer to `fresh`. */
  | { kind: 'proved'; shown: boolean }
  /** The data that the back office shows may be out of date. */
  | { kind: 'counts'; counts: Counts }
export type FromBackOffice =
  | { kind: 'ready' }
  /** Address of the shown page. */
  | { kind: 'where'; address: string }
  /** The operator's session has ended. */
  | { kind: 'login' }
  /** The operator must prove their identity again. */
  | { kind: 'fresh' }
  | { kind: 'broken'; reason: string }

/** Member that distinguishes these messages from all others. */
const messageKey = 'tessera.back-office'
export const written = (message: ToBackOffice | FromBackOffice) => ({ [messageKey]: message })

interface Heard {
  data: unknown
  origin: string
  source: unknown
}
function read<T extends { kind: string }>(event: Heard, origin: string, from: unknown, kinds: readonly T['kind'][]): T | undefined {
  if (event.origin !== origin || event.source !== from || typeof event.data !== 'object' || event.data === null) return undefined
  const message = (event.data as Record<string, unknown>)[messageKey] as T | undefined
  return typeof message === 'object' && message !== null && kinds.includes(message.kind) ? message : undefined
}

export const readToBackOffice = (event: Heard, origin: string, from: unknown) =>
  read<ToBackOffice>(event, origin, from, ['who', 'open', 'proved', 'counts'])
export const readFromBackOffice = (event: Heard, origin: string, from: unknown) =>
  read<FromBackOffice>(event, origin, from, ['ready', 'where', 'login', 'fresh', 'broken'])

/** The counts of a message of the event stream; undefined for any other message. */
export function readCounts(text: string): Counts | undefined {
  try {
    const { counts } = JSON.parse(text) as { counts?: Record<string, unknown> }
    if (!counts || typeof counts !== 'object') return undefined
    return Object.fromEntries(Object.entries(counts).filter((one): one is [string, number] => Number.isSafeInteger(one[1])))
  } catch {
    return undefined
  }
}

/** Total of all queues. */
export const waiting = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0)
/** Text of a badge: empty for zero, at most two digits. */
export const badgeOf = (count: number): string => (count <= 0 ? '' : count > 99 ? '99+' : String(count))
