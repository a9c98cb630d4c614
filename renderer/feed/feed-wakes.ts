/** Listeners of one kind of value by key, and the keys that changed since the last notification. */
export class Wakes {
  private readonly listeners = new Map<string, Set<() => void>>()
  private readonly changed = new Set<string>()
  private readonly ask: () => void

  /** @param ask wants a flush soon; called once or more per change */
  constructor(ask: () => void) {
    this.ask = ask
  }

  on(key: string, wake: () => void): () => void {
    const set = this.listeners.get(key) ?? new Set()
    this.listeners.set(key, set.add(wake))
    return () => {
      set.delete(wake)
      if (set.size === 0 && this.listeners.get(key) === set) this.listeners.delete(key)
    }
  }

  /** A key without listeners costs one look-up. */
  mark(key: string): void {
    if (!this.listeners.has(key)) return
    this.changed.add(key)
    this.ask()
  }

  waiting(): boolean {
    return this.changed.size > 0
  }

  flush(): void {
    for (const key of this.changed) {
      this.changed.delete(key)
      for (const wake of this.listeners.get(key) ?? []) wake()
    }
  }
}

export interface Painter {
  /** @param everyMs listeners are notified at most so often, and always of the last change; 0: with every frame */
  channel(everyMs?: number): Wakes
  /** The page is seen again: listeners are notified once of the changes meanwhile. */
  shown(): void
}

/** Flushes with animation frames, each channel at most once in its interval; while the page is hidden changes only pile up, at most one per key. */
export function createPainter(frame: (run: () => void) => unknown, visible: () => boolean, now: () => number): Painter {
  const channels: { wakes: Wakes; everyMs: number; flushedAt: number }[] = []
  let asked = false
  const ask = () => {
    if (asked || !visible()) return
    asked = true
    frame(() => {
      asked = false
      if (!visible()) return
      const at = now()
      for (const channel of channels) {
        if (!channel.wakes.waiting() || at - channel.flushedAt < channel.everyMs) continue
        channel.flushedAt = at
        channel.wakes.flush()
      }
      // A channel whose time has not come yet.
      askIfWaiting()
    })
  }
  const askIfWaiting = () => {
    if (channels.some(({ wakes }) => wakes.waiting())) ask()
  }
  return {
    channel(everyMs = 0) {
      const wakes = new Wakes(ask)
      channels.push({ wakes, everyMs, flushedAt: Number.NEGATIVE_INFINITY })
      return wakes
    },
    shown: askIfWaiting,
  }
}
