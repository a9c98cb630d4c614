/** Who is in the middle of something that a new release must not take away: a form with unsent input, an open prompt. */
export interface Holds {
  /** @returns lets go; calling it again does nothing */
  hold(name: string): () => void
  /** The customer has gone to another page. */
  moved(): void
  names(): string[]
  /** Resolves when a release may be shown: at once, or at the first page change after which nothing is held. */
  free(): Promise<void>
}

export function createHolds(): Holds {
  const held = new Map<symbol, string>()
  const waiting = new Set<() => void>()
  let moved = false
  const look = () => {
    if (held.size > 0 || !moved) return
    for (const go of waiting) go()
    waiting.clear()
  }
  return {
    hold(name) {
      const mine = Symbol(name)
      held.set(mine, name)
      return () => {
        if (held.delete(mine)) look()
      }
    },
    moved() {
      moved = true
      look()
    },
    names: () => [...held.values()],
    free() {
      if (held.size === 0 && waiting.size === 0) return Promise.resolve()
      if (waiting.size === 0) moved = false
      return new Promise((go) => void waiting.add(go))
    },
  }
}
