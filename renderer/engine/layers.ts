import type { Ui } from '#renderer/engine/ui.ts'

/**
 * The browser's history while layers lie over the page. Each layer has an entry, a copy of the page's own, so that back closes it and does not
 * leave the page; this also holds for the first page, which has no entry of the app behind it. The entry goes when the layer is closed in
 * another way, and forward onto it leads back again.
 */
export interface LayerHistory {
  /** Begins to follow layers and history. @returns ends it */
  start(): () => void
  /** Runs what leaves the page, once the history has no entries of layers any more. */
  leave(move: () => void): void
  /** Gives the history as many entries of layers as there are layers; for when another page has arrived. */
  settle(): void
}

export function createLayerHistory(ui: Pick<Ui, 'layers' | 'uncover' | 'subscribe'>): LayerHistory {
  let waiting: readonly (() => void)[] = []
  /** The history is on its way to where `settle` has sent it. */
  let going = false
  let page: unknown

  const depth = () => Number(history.state?.layer ?? 0)
  function settle(): void {
    page = history.state?.key
    if (going) return
    const moves = waiting
    const wanted = moves.length > 0 ? 0 : ui.layers()
    const at = depth()
    if (at > wanted) {
      going = true
      history.go(wanted - at)
    } else if (moves.length > 0) {
      waiting = []
      for (const move of moves) move()
    } else for (let layer = at + 1; layer <= wanted; layer++) history.pushState({ ...history.state, layer }, '')
  }
  function popped(): void {
    const own = going
    going = false
    // Layers of a page that was left go with it.
    if (page !== history.state?.key) return
    while (!own && ui.layers() > depth()) ui.uncover()
    // After the router has heard of it: a move that waits comes next.
    setTimeout(settle)
  }
  let known = 0
  function changed(): void {
    if (ui.layers() === known) return
    known = ui.layers()
    // Another one may open in the same moment, or the page be left.
    queueMicrotask(settle)
  }
  return {
    start() {
      // Before the router, which draws another page at once.
      addEventListener('popstate', popped, true)
      const off = ui.subscribe(changed)
      return () => {
        removeEventListener('popstate', popped, true)
        off()
      }
    },
    leave(move) {
      waiting = [...waiting, move]
      settle()
    },
    settle,
  }
}
