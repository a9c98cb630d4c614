import { fromEveryFrame, isFlag, type Kinds, readerOf, toEveryFrame } from '#console/frames/protocol.ts'
import { isObject } from '#language/documents/json.ts'
import type { ConsoleEvent } from '#language/publish/publishing.ts'

/** Messages between the console and the frame of the back office; see console/frames/protocol.ts. */

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
  /** Something changed on the config server; null: anything may have. */
  | { kind: 'changed'; about: ConsoleEvent['about'] | null }
export type FromBackOffice =
  | { kind: 'ready' }
  /** Address of the shown page. */
  | { kind: 'where'; address: string }
  /** The operator's session has ended. */
  | { kind: 'login' }
  /** The operator must prove their identity again. */
  | { kind: 'fresh' }
  /** A page of the console outside of the back office is wanted: `/draft?id=12`. */
  | { kind: 'leave'; address: string }
  | { kind: 'broken'; reason: string }

const isViewer = (value: unknown) =>
  isObject(value) && typeof value.language === 'string' && isFlag(value.reviewer) && isFlag(value.administrator)

const toBackOffice: Kinds<ToBackOffice> = {
  ...toEveryFrame,
  who: ({ who }) => isViewer(who),
  proved: ({ shown }) => isFlag(shown),
  counts: ({ counts }) => isObject(counts) && Object.values(counts).every(Number.isSafeInteger),
  changed: ({ about }) => about === null || typeof about === 'string',
}
const fromBackOffice: Kinds<FromBackOffice> = {
  ...fromEveryFrame,
  login: () => true,
  fresh: () => true,
  leave: ({ address }) => fromEveryFrame.where({ address }),
}
/** A message from the console; undefined for anything else. */
export const readToBackOffice = readerOf<ToBackOffice>(toBackOffice)
/** A message from the frame; undefined for anything else. */
export const readFromBackOffice = readerOf<FromBackOffice>(fromBackOffice)

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
