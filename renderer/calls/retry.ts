import { feedLimits } from '#contract/feed.ts'

/** The two timer calls, as an environment or a test gives them. They are called as plain functions, never as methods. */
export interface Timers {
  setTimeout(run: () => void, ms: number): unknown
  clearTimeout(id: unknown): void
}

export const systemTimers: Timers = {
  setTimeout: (run, ms) => globalThis.setTimeout(run, ms),
  clearTimeout: (id) => globalThis.clearTimeout(id as number),
}

/**
 * How long to wait before another try, in milliseconds: 1 s, doubled each time, ± 50 %, never above 5 s. The base stays low enough
 * that its whole spread fits below the maximum; cutting afterwards would make most clients come back in the same instant.
 * @param tries how many have failed before, from 0
 * @param random from 0 to 1
 */
export function retryDelayMs(tries: number, random: number): number {
  const jitter = feedLimits.reconnectJitter
  const base = Math.min(feedLimits.reconnectMinMs * 2 ** tries, feedLimits.reconnectMaxMs / (1 + jitter))
  return Math.round(base * (1 + jitter * (2 * random - 1)))
}
