/** What the console and the frame of the desk say to each other by postMessage. Both are pages of one origin; anything else is not heard. */

/** How much waits in each queue, as desk.counts and the desk's event stream tell it. */
export interface Counts {
  recharges: number
  withdrawals: number
  verifications: number
  to_send: number
}
/** Who looks at the desk. */
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
  /** Something may be another than what the desk shows. */
  | { kind: 'counts'; counts: Counts }
export type FromBackOffice =
  | { kind: 'ready' }
  /** What the desk shows now. */
  | { kind: 'where'; address: string }
  /** The operator's session is over. */
  | { kind: 'login' }
  /** The operator must show once more who he is. */
  | { kind: 'fresh' }
  | { kind: 'broken'; reason: string }

/** Name of our messages among all others. */
const messageKey = 'tessera.desk'
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

/** The counts in a message of the event stream; undefined for anything else. */
export function readCounts(text: string): Counts | undefined {
  try {
    const { counts } = JSON.parse(text) as { counts?: Record<string, unknown> }
    const number = (name: keyof Counts) => (Number.isSafeInteger(counts?.[name]) ? (counts?.[name] as number) : 0)
    return counts && typeof counts === 'object'
      ? {
          recharges: number('recharges'),
          withdrawals: number('withdrawals'),
          verifications: number('verifications'),
          to_send: number('to_send'),
        }
      : undefined
  } catch {
    return undefined
  }
}

/** All that waits for somebody. */
export const waiting = ({ recharges, withdrawals, verifications, to_send }: Counts): number =>
  recharges + withdrawals + verifications + to_send
/** As a badge: nothing for none, and no more than two digits. */
export const badgeOf = (count: number): string => (count <= 0 ? '' : count > 99 ? '99+' : String(count))
