/** Something that is loaded after the first paint, or with the first who needs it. */
export interface Lazy<T> {
  /** Returns the loaded value; undefined until it is there. */
  ready(): T | undefined
  /** Loads it, once for all who ask. @throws what the load failed with; the next call tries again */
  load(): Promise<T>
  /**
   * Runs `use` on it: at once when it is loaded, otherwise when it comes, in the order of asking. While somebody waits, a load that failed
   * is tried again every five seconds.
   * @param hurry false: waits for a load that another begins
   * @returns stops waiting
   */
  whenReady(use: (loaded: T) => void, hurry?: boolean): () => void
}

const againMs = 5_000

/** @param load brings it, usually by a dynamic import; called again only after it has failed */
export function lazy<T extends object>(load: () => Promise<T>): Lazy<T> {
  let loaded: T | undefined
  let loading: Promise<T> | undefined
  const waiting = new Set<(loaded: T) => void>()
  const start = (): Promise<T> =>
    (loading ??= load().then(
      (value) => {
        loaded = value
        for (const use of waiting) use(value)
        waiting.clear()
        return value
      },
      (problem: unknown) => {
        loading = undefined
        if (waiting.size > 0) setTimeout(hurryUp, againMs)
        throw problem
      },
    ))
  const hurryUp = () => void start().catch(() => undefined)
  return {
    ready: () => loaded,
    load: start,
    whenReady(use, hurry = true) {
      if (loaded) use(loaded)
      else {
        waiting.add(use)
        if (hurry) hurryUp()
      }
      return () => void waiting.delete(use)
    },
  }
}
