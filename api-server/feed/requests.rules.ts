import * as z from 'zod'
import { periods } from '#contract/calls/market.calls.ts'
import { type FeedRequest, feedActions, feedLimits } from '#contract/feed.ts'
import { symbol } from '#contract/fields.ts'

const rows = {
  checkToken: z.object({
    action: z.literal('checkToken'),
    token: z.string().max(512).optional(),
    v: z.literal(2).optional(),
    caps: z.array(z.string().max(20)).max(10).optional(),
    resume: z.object({ epoch: z.string().max(64), seq: z.int().nonnegative() }).optional(),
  }),
  getQuota: z.object({
    action: z.literal('getQuota'),
    /** Any text: unknown symbols are refused one by one, so that the others are subscribed. */
    symbols: z.array(z.string()).max(feedLimits.subscriptionsMax).optional(),
    connect: z.boolean().optional(),
    off: z.boolean().optional(),
  }),
  getDepth: z.object({ action: z.literal('getDepth'), symbol, off: z.boolean().optional() }),
  kline: z.object({ action: z.literal('kline'), symbol, period: z.enum(periods), off: z.boolean().optional() }),
  ping: z.object({ action: z.literal('ping') }),
  bindUid: z.object({ action: z.literal('bindUid'), uid: z.string().max(60).optional() }),
} as const satisfies Record<(typeof feedActions)[number], z.ZodType<FeedRequest>>

type ReadRequest = { request: FeedRequest } | { refused: 'body_unreadable' | 'parameter_error'; of?: (typeof feedActions)[number] }

/** Parses one text frame of a client. */
export function readRequest(text: string): ReadRequest {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return { refused: 'body_unreadable' }
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return { refused: 'body_unreadable' }
  const named = (parsed as { action?: unknown }).action
  const action = feedActions.find((one) => one === named)
  if (!action) return { refused: 'parameter_error' }
  const read = rows[action].safeParse(parsed)
  return read.success ? { request: read.data } : { refused: 'parameter_error', of: action }
}
