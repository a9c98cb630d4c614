import type { Mover } from '#renderer/engine/types.ts'

/** Numbers visits of screens, so that a late answer can check whether its screen is still shown. */
export interface Visits {
  /** Number of the visit that lasts now. It is another one after every change of the route entry, also between two entries of one screen. */
  current(): number
  /**
   * The same mover; each move that it makes ends the visit at once, before the browser has arrived.
   * @param leave runs a move, once nothing lies over the page
   */
  endedBy(mover: Mover, leave?: (move: () => void) => void): Mover
}

/** @param entry identifies the entries of the browser's history; read each time, because the address is ahead of what is drawn */
export function createVisits(entry: () => string): Visits {
  let last = entry()
  let visit = 1
  const current = () => {
    const now = entry()
    if (now !== last) {
      last = now
      visit += 1
    }
    return visit
  }
  return {
    current,
    endedBy: (mover, leave = (move) => move()) => ({
      go(address, replace) {
        visit += 1
        leave(() => {
          mover.go(address, replace)
          // The entry that it made belongs to this move.
          last = entry()
        })
      },
      back() {
        visit += 1
        leave(() => mover.back())
      },
    }),
  }
}

/** The entry that the browser shows now. The router gives each entry a key; an address that was typed has none. */
export const browserEntry = (): string => {
  const state = globalThis.history?.state as { key?: unknown } | null | undefined
  return `${String(state?.key ?? '')} ${globalThis.location?.hash ?? ''}`
}
