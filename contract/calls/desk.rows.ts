import * as z from 'zod'
import { rechargeStates, withdrawStates } from '#contract/calls/funding.calls.ts'
import { idTypes } from '#contract/calls/identity.calls.ts'
import { amountIn, coinCode, timeMs } from '#contract/fields.ts'

/** Rows of the desk's queues and lists, and what its log may say. */

/** What the desk writes down; each is a word of its log: `desk.action_<action>`, with _ in place of the point. */
export const deskActions = [
  'recharge.approve_first',
  'recharge.approve',
  'recharge.reject',
  'withdraw.approve_first',
  'withdraw.approve',
  'withdraw.reject',
  'withdraw.sent',
  'withdraw.done',
  'identity.look',
  'identity.approve',
  'identity.reject',
  'trader.approve',
  'trader.reject',
  'picture.look',
  'customer.freeze',
  'customer.free',
  'customer.end_sessions',
  'settings.four_eyes',
  'settings.propose',
  'settings.agree',
  'settings.withdraw',
  'settings.refuse',
  'audit.export',
] as const
export type DeskAction = (typeof deskActions)[number]

/** Pages that a row of the log may lead to. */
export const deskPlaces = ['none', 'recharge', 'withdrawal', 'verification', 'trader', 'customer'] as const

const person = {
  uid: z.int().positive(),
  nickname: z.string(),
  contact: z.string().describe('masked address or number'),
  level: z.int(),
  demo: z.boolean(),
}
/** Who decided, when four eyes are needed: the first of two, and whether the one who asks may be the second. */
const eyes = {
  four_eyes: z.boolean().describe('two different operators must approve'),
  approved_by: z.string().describe('who approved first; empty: nobody yet'),
  may_decide: z.boolean().describe('false for who approved first'),
}
const frozen = z.boolean().describe('the account is frozen: nothing is approved to leave it, or sent')
export const rechargeRow = z.object({
  id: z.int().positive(),
  ...person,
  ...{ currency_code: coinCode, chain: z.string(), amount: amountIn('currency_code'), usd: amountIn('USD'), images: z.int() },
  seen_before: z.boolean().describe('one of its vouchers came with another recharge too'),
  frozen,
  status: z.enum(rechargeStates),
  reason: z.string(),
  decided_by: z.string(),
  ...eyes,
  created: timeMs,
  changed: timeMs,
})
export const withdrawalRow = z.object({
  id: z.int().positive(),
  ...person,
  ...{ currency_code: coinCode, channel: z.string(), chain: z.string() },
  ...{ amount: amountIn('currency_code'), fee: amountIn('currency_code'), received: amountIn('currency_code'), usd: amountIn('USD') },
  frozen,
  status: z.enum(withdrawStates),
  reason: z.string(),
  reference: z.string(),
  decided_by: z.string(),
  ...eyes,
  created: timeMs,
  changed: timeMs,
})
export const verificationRow = z.object({
  id: z.int().positive(),
  ...person,
  asked: z.int().describe('level that is asked for'),
  id_type: z.enum(idTypes),
  seen_before: z.boolean().describe('another account has sent a document with this number'),
  status: z.enum(['reviewing', 'failed', 'passed']),
  reason: z.string(),
  decided_by: z.string(),
  created: timeMs,
  changed: timeMs,
})
export const traderReviewRow = z.object({
  id: z.int().positive(),
  ...person,
  trader_name: z.string().describe('that is asked for'),
  introduction: z.string(),
  status: z.enum(['reviewing', 'failed', 'passed']),
  reason: z.string(),
  decided_by: z.string(),
  created: timeMs,
  changed: timeMs,
})
export const picture = z.object({ id: z.string(), src: z.string().describe('path on this origin, for operators who review only') })
export const customerRow = z.object({
  ...person,
  status: z.enum(['active', 'frozen']),
  usd: amountIn('USD'),
  created: timeMs,
  seen: timeMs.nullable(),
})
export const auditRow = z.object({
  id: z.int().positive(),
  time: timeMs,
  operator: z.string(),
  action: z.enum(deskActions),
  subject: z.string().describe('recharge:12, customer:100001 …'),
  detail: z.string(),
  leads_to: z.enum(deskPlaces).describe('page of the desk where the subject is looked at'),
  number: z.int().min(0).describe('of the subject; 0 where there is none'),
})
export const deskRules = z.object({
  four_eyes_usd: amountIn('USD').describe('from this worth on two must approve'),
  changed_by: z.string(),
  changed: timeMs.nullable(),
  proposal: z
    .object({
      id: z.int().positive(),
      from: amountIn('USD'),
      to: amountIn('USD'),
      by: z.string(),
      time: timeMs,
      own: z.boolean().describe('of who asks'),
      may_agree: z.boolean().describe('for administrators but the one who proposed it'),
    })
    .nullable()
    .describe('a weaker rule that waits for a second administrator'),
})
