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

/** Shortest and longest time between tries, and the share by which they vary. */
export type RetryTimes = Readonly<Record<'reconnectMinMs' | 'reconnectMaxMs' | 'reconnectJitter', number>>

/**
 * How long to wait before another try, in milliseconds: the shortest time, doubled each time, never above the longest. The base stays low enough
 * that its whole spread fits below the maximum; cutting afterwards would make most clients come back in the same instant.
 * @param tries how many have failed before, from 0
 * @param random from 0 to 1
 */
export function retryDelayMs(tries: number, random: number, times: RetryTimes = feedLimits): number {
  const jitter = times.reconnectJitter
  const base = Math.min(times.reconnectMinMs * 2 ** tries, times.reconnectMaxMs / (1 + jitter))
  return Math.round(base * (1 + jitter * (2 * random - 1)))
}
