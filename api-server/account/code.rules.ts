import type { Scene } from '#contract/auth.calls.ts'
import type { ProblemCode } from '#contract/problem.ts'

export const codeLimits = {
  lifeMs: 10 * 60_000,
  /** The code is void from the fifth wrong one on. */
  wrongMax: 5,
  resendMs: 60_000,
  perDay: 10,
  dayMs: 24 * 3_600_000,
} as const

/** Open to visitors; the address is named in the request. */
export const visitorScenes: readonly Scene[] = ['register', 'reset_password']
/** Go to the new address; all others that need a session go to one that the account has. */
export const bindScenes: Partial<Record<Scene, 'mail' | 'sms'>> = { bind_email: 'mail', bind_mobile: 'sms' }

export type Asked = { outcome: 'send'; sent: number[] } | { outcome: 'code_too_soon' | 'code_daily_limit'; waitMs: number }

/** Whether another code may go to an address to which codes went at these times (ms, oldest first). */
export function askAgain(sent: readonly number[], now: number): Asked {
  const day = sent.filter((at) => at > now - codeLimits.dayMs)
  const last = day.at(-1)
  if (last !== undefined && last + codeLimits.resendMs > now) return { outcome: 'code_too_soon', waitMs: last + codeLimits.resendMs - now }
  if (day.length >= codeLimits.perDay) return { outcome: 'code_daily_limit', waitMs: day[0]! + codeLimits.dayMs - now }
  return { outcome: 'send', sent: [...day, now] }
}

export interface CodeState {
  expires_at: number
  wrong: number
  used_at: number | null
}

/** What a typed code is worth; the first that applies. A code that is gone, used or too old answers as a wrong one. */
export function verdict(
  state: CodeState | undefined,
  matches: boolean,
  now: number,
): 'right' | Extract<ProblemCode, 'code_wrong' | 'code_void'> {
  if (!state || state.used_at !== null || state.expires_at <= now) return 'code_wrong'
  if (state.wrong >= codeLimits.wrongMax) return 'code_void'
  return matches ? 'right' : 'code_wrong'
}

/** Six ASCII digits; anything else is no code. */
export const isCode = (text: string): boolean => /^[0-9]{6}$/.test(text)
