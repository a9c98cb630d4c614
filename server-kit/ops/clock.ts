/** The one clock of the API server. Handlers, jobs and the feed take it; nobody reads Date.now() beside it. */
export interface Clock {
  /** Milliseconds since 1970 UTC. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** A clock that a test can set. From then on it runs on at normal speed; `undefined` gives it back to the system. */
export interface SettableClock extends Clock {
  set(now: number | undefined): void
}

export function createSettableClock(base: Clock = systemClock): SettableClock {
  let offsetMs = 0
  return {
    now: () => base.now() + offsetMs,
    set(now) {
      offsetMs = now === undefined ? 0 : now - base.now()
    },
  }
}
