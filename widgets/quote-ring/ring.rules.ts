const secondMs = 1_000
/** Delay after the end of a quote, and interval afterwards, at which a new one is requested until it arrives. */
export const againMs = 3_000

/** Remaining whole seconds of an offer, rounded up. */
export function secondsLeft(sinceMs: number, nowMs: number, lifeMs: number): number {
  return Math.max(0, Math.ceil((sinceMs + lifeMs - nowMs) / secondMs))
}

/** Number of requests due by now: one at the end, and one every few seconds after it. */
export function asksBy(sinceMs: number, nowMs: number, lifeMs: number): number {
  const over = nowMs - sinceMs - lifeMs
  return over < 0 ? 0 : 1 + Math.floor(over / againMs)
}
