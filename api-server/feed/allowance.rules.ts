/** A token bucket: an average rate per second and a burst. Times are monotonic ms. */
export interface Allowance {
  tokens: number
  at: number
}

export function newAllowance(burst: number, now: number): Allowance {
  return { tokens: burst, at: now }
}

/** Takes one token, in place. @returns false when none is left */
export function takeOne(allowance: Allowance, perSecond: number, burst: number, now: number): boolean {
  allowance.tokens = Math.min(burst, allowance.tokens + (Math.max(0, now - allowance.at) / 1_000) * perSecond)
  allowance.at = now
  if (allowance.tokens < 1) return false
  allowance.tokens--
  return true
}
