import { feedLimits } from '#contract/feed.ts'

/** Kinds of notices. The first that applies is shown. */
export const notices = ['down', 'blocked', 'old', 'simulated', 'none'] as const
export type Notice = (typeof notices)[number]

export interface NoticeAsk {
  state: 'connected' | 'connecting' | 'down'
  /** Age of the last message in ms; undefined before the first. */
  ageMs: number | undefined
  simulated: boolean
}

/** Outdated prices take precedence over all other notices. The first connection shows no notice while it opens. */
export function noticeOf({ state, ageMs, simulated }: NoticeAsk): Notice {
  if (state === 'down' || (state === 'connecting' && ageMs !== undefined)) return 'down'
  if (ageMs !== undefined && ageMs > feedLimits.priceBlockedAfterMs) return 'blocked'
  if (ageMs !== undefined && ageMs > feedLimits.priceQuietAfterMs) return 'old'
  return simulated ? 'simulated' : 'none'
}
