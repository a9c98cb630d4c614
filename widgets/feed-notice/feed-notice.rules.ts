import { feedLimits } from '#contract/feed.ts'

/** What the notice says. The first that applies wins. */
export const notices = ['down', 'blocked', 'old', 'simulated', 'none'] as const
export type Notice = (typeof notices)[number]

export interface NoticeAsk {
  state: 'connected' | 'connecting' | 'down'
  /** Age of the last message in milliseconds; undefined before the first. */
  ageMs: number | undefined
  simulated: boolean
}

/**
 * Prices that are too old to trade on say so before anything else; a connection that is only slow to open for the first time says nothing.
 */
export function noticeOf({ state, ageMs, simulated }: NoticeAsk): Notice {
  if (state === 'down' || (state === 'connecting' && ageMs !== undefined)) return 'down'
  if (ageMs !== undefined && ageMs > feedLimits.priceBlockedAfterMs) return 'blocked'
  if (ageMs !== undefined && ageMs > feedLimits.priceQuietAfterMs) return 'old'
  return simulated ? 'simulated' : 'none'
}
