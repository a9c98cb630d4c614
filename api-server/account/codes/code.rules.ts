import type { Scene } from '#contract/calls/auth.calls.ts'
import type { ProblemCode } from '#contract/problem.ts'
import { folded } from '#contract/text.ts'

/** The effect of these limits together: docs/adr/027-codes-know-who-asked.md. */
export const codeLimits = {
  lifeMs: 10 * 60_000,
  /** Wrong guesses with the ticket of a code, and the same number without a ticket. The next guess finds the code void. */
  wrongMax: 5,
  resendMs: 60_000,
  /** Codes of one scene that one asker may send to one address in a day. */
  perDay: 10,
  /** Codes of all scenes that all askers together may send in a day to an address that none of them has proved to own. */
  perDayOfAll: 60,
  dayMs: 24 * 3_600_000,
} as const

/** Open to visitors; the address is named in the request. */
export const visitorScenes: readonly Scene[] = ['register', 'reset_password']
/** Go to the new address; all others that need a session go to one that the account has. */
export const bindScenes: Partial<Record<Scene, 'mail' | 'sms'>> = { bind_email: 'mail', bind_mobile: 'sms' }
/** Scenes whose code goes one way only; the others go either way. */
export const channelOf: Partial<Record<Scene, 'mail' | 'sms'>> = { ...bindScenes, identity: 'mail' }

export type Asked = { outcome: 'send'; sent: number[] } | { outcome: 'code_too_soon' | 'code_daily_limit'; waitMs: number }

/** One count of sent codes. */
export interface Count {
  /** The subject of the count: scene, address and asker. */
  subject: string
  perDay: number
  resendMs: number
}

interface CodeRequest {
  scene: Scene
  target: string
  /** The asker: an account, a device that an account knows, or the network. */
  asker: string
  /** The range of addresses that the request comes from. */
  network: string
  /** The asker has proved to own the address: codes go to the account that asks, or a device that the account knows asks. */
  owns: boolean
}

/**
 * The counts that a request for a code must pass. Requests of one asker count for that asker alone, and in one scene alone. Where the asker
 * has not proved to own the address, its network counts too, and all askers and scenes share one more count.
 */
export function countsOf({ scene, target, asker, network, owns }: CodeRequest): Count[] {
  const { perDay, perDayOfAll, resendMs } = codeLimits
  const count = (who: string) => ({ subject: `${scene}\n${target}\n${who}`, perDay, resendMs })
  if (owns) return [count(asker)]
  return [...[...new Set([asker, network])].map(count), { subject: `\n${target}\n`, perDay: perDayOfAll, resendMs: 0 }]
}

/** Whether another code may be sent after those of one count, which were sent at these times (ms, oldest first). */
export function askAgain(sent: readonly number[], now: number, { perDay, resendMs }: Omit<Count, 'subject'>): Asked {
  const day = sent.filter((at) => at > now - codeLimits.dayMs)
  const last = day.at(-1)
  if (last !== undefined && last + resendMs > now) return { outcome: 'code_too_soon', waitMs: last + resendMs - now }
  if (day.length >= perDay) return { outcome: 'code_daily_limit', waitMs: day[0]! + codeLimits.dayMs - now }
  return { outcome: 'send', sent: [...day, now] }
}

interface CodeState {
  expires_at: number
  /** Wrong guesses of those who guess in the same way: with the ticket, or without one. */
  wrong: number
  used_at: number | null
}

/** Judges a typed code; the first verdict that applies. A code that is gone, used or too old answers as a wrong one. */
export function verdict(
  state: CodeState | undefined,
  matches: boolean,
  now: number,
): 'right' | Extract<ProblemCode, 'code_wrong' | 'code_void'> {
  if (!state || state.used_at !== null || state.expires_at <= now) return 'code_wrong'
  if (state.wrong >= codeLimits.wrongMax) return 'code_void'
  return matches ? 'right' : 'code_wrong'
}

/** The code that was typed, six ASCII digits; '' for anything else. Width, blanks and hyphens do not count, digits of any script do. */
export function codeOf(typed: string): string {
  const code = folded(typed).replace(/[\s-]/g, '')
  return /^[0-9]{6}$/.test(code) ? code : ''
}
