import { storagePrefix } from '#renderer/device/storage-prefix.ts'

/** State of a visit that is restored when the customer goes back to it, and after a reload. */
export interface Kept {
  /** Values of `state` that the customer chose. */
  state: Record<string, unknown>
  /** How far the page and each list on it are scrolled, in px: [left, top]. */
  places: Record<string, readonly [left: number, top: number]>
  /** The customer was here before. */
  returned?: boolean
}

/** A visit that lasts: one entry of the browser's history, or several that replaced each other on one page. */
export interface Visit {
  key: string
  path: string
  /** Grows with each page that is opened. */
  number: number
  kept: Kept
}

export const visitsName = `${storagePrefix}visits`
let table: Map<string, Kept> | undefined

/** The kept state of visits by the key of their history entry, the newest at the end. It begins with the visits stored before a reload. */
export function keptVisits(): Map<string, Kept> {
  if (!table) {
    table = new Map()
    try {
      table = new Map(JSON.parse(sessionStorage.getItem(visitsName) ?? '[]'))
    } catch {
      // Blocked, or written by somebody else.
    }
  }
  return table
}

/**
 * The key of the history entry that is shown. The router gives an address that was typed no key and no index (`idx`). Without an index the next entry
 * would have none either, and back would lead home.
 */
function entryKey(): string {
  if (!history.state?.key) history.replaceState({ idx: 0, ...history.state, key: crypto.randomUUID() }, '')
  return history.state.key
}

/** The visit that the shown entry belongs to. @param replaced the entry took the place of the one before */
export function arrive(before: Visit | undefined, path: string, replaced: boolean): Visit {
  const key = entryKey()
  if (before?.key === key) return before
  const visits = keptVisits()
  const stays = replaced && before?.path === path
  const known = stays ? before.kept : visits.get(key)
  const kept = known ?? { state: {}, places: {} }
  kept.returned = !stays && known !== undefined
  visits.set(key, kept)
  return { key, path, kept, number: (before?.number ?? 0) + (stays ? 0 : 1) }
}
