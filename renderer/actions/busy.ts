/** Work in progress that a new release must not take away: a form with unsent input, an open prompt. */
export interface Busy {
  /** @returns ends it; calling it again does nothing */
  begin(name: string): () => void
  /** The customer has gone to another page. */
  moved(): void
  names(): string[]
  /** Resolves when a release may be shown: at once, or at the first page change after which nobody is busy. */
  free(): Promise<void>
}

export function createBusy(): Busy {
  const open = new Map<symbol, string>()
  const waiting = new Set<() => void>()
  let moved = false
  const look = () => {
    if (open.size > 0 || !moved) return
    for (const go of waiting) go()
    waiting.clear()
  }
  return {
    begin(name) {
      const mine = Symbol(name)
      open.set(mine, name)
      return () => {
        if (open.delete(mine)) look()
      }
    },
    moved() {
      moved = true
      look()
    },
    names: () => [...open.values()],
    free() {
      if (open.size === 0 && waiting.size === 0) return Promise.resolve()
      if (waiting.size === 0) moved = false
      return new Promise((go) => void waiting.add(go))
    },
  }
}
