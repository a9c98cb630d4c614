/** Bounds on guessing one secret. Tries are counted before they are made, so that many at once are no way around. */
export const guardLimits = {
  windowMs: 15 * 60_000,
  triesMax: 10,
  /** So many follow each other freely; then each waits twice as long as the one before. */
  freeTries: 3,
  firstDelayMs: 1_000,
  delayMsMax: 60_000,
} as const

export type Turn = { allowed: true; tries: number[] } | { allowed: false; waitMs: number }

/** @param tries times (ms, oldest first) of tries that were not right */
export function takeTurn(tries: readonly number[], now: number): Turn {
  const { windowMs, triesMax, freeTries, firstDelayMs, delayMsMax } = guardLimits
  const counted = tries.filter((at) => at > now - windowMs)
  if (counted.length >= triesMax) return { allowed: false, waitMs: counted[counted.length - triesMax]! + windowMs - now }
  const over = counted.length - freeTries
  const next = over < 0 ? 0 : counted.at(-1)! + Math.min(delayMsMax, firstDelayMs * 2 ** over)
  return next > now ? { allowed: false, waitMs: next - now } : { allowed: true, tries: [...counted, now] }
}
