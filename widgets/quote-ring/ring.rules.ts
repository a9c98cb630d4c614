const secondMs = 1_000
/** How long after its end, and then how often, a quote is asked for anew while none has come. */
export const againMs = 3_000

/** Whole seconds that an offer still stands; a second that has begun counts. */
export function secondsLeft(sinceMs: number, nowMs: number, lifeMs: number): number {
  return Math.max(0, Math.ceil((sinceMs + lifeMs - nowMs) / secondMs))
}

/** How often another offer should have been asked for by now: once at the end, and again every few seconds after it. */
export function asksBy(sinceMs: number, nowMs: number, lifeMs: number): number {
  const over = nowMs - sinceMs - lifeMs
  return over < 0 ? 0 : 1 + Math.floor(over / againMs)
}
