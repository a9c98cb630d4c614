/** Listeners of one kind of value by key, and which keys changed since they were last told. */
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

  /** What nobody listens to costs one look-up. */
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
  channel(): Wakes
  /** The page is seen again: what changed meanwhile is told once. */
  shown(): void
}

/** One flush per animation frame for all channels; while the page is hidden changes only pile up, at most one per key. */
export function createPainter(frame: (run: () => void) => unknown, visible: () => boolean): Painter {
  const channels: Wakes[] = []
  let asked = false
  const ask = () => {
    if (asked || !visible()) return
    asked = true
    frame(() => {
      asked = false
      if (visible()) for (const channel of channels) channel.flush()
    })
  }
  return {
    channel() {
      const channel = new Wakes(ask)
      channels.push(channel)
      return channel
    },
    shown() {
      if (channels.some((channel) => channel.waiting())) ask()
    },
  }
}
