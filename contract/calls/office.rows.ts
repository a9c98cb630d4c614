import * as z from 'zod'
import { rechargeStates, withdrawStates } from '#contract/calls/funding.calls.ts'
import { amountIn, coinCode, listMost, timeMs } from '#contract/fields.ts'
import { idTypes } from '#contract/rules/document.rules.ts'
import { statusSet } from '#contract/status.ts'

/** Rows of the back office's queues and lists, and the actions of its log. */

/** Actions in the log of the back office. The text key is `office.action_<action>`, with _ in place of the point. */
export const backOfficeActions = [
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
  'trader.end',
  'picture.look',
  'customer.freeze_first',
  'customer.freeze_drop',
  'customer.freeze',
  'customer.free',
  'customer.end_sessions',
  'settings.four_eyes',
  'settings.propose',
  'settings.agree',
  'settings.withdraw',
  'settings.refuse',
  'instrument.propose',
  'instrument.agree',
  'instrument.withdraw',
  'instrument.refuse',
  'instrument.halt',
  'instrument.resume',
  'hours.propose',
  'hours.agree',
  'hours.withdraw',
  'hours.refuse',
  'instrument.hours',
  'terms.propose',
  'terms.agree',
  'terms.withdraw',
  'terms.refuse',
  'terms.pause',
  'terms.resume',
  'terms.end',
  'allocation.propose',
  'allocation.agree',
  'allocation.withdraw',
  'allocation.refuse',
  'offer.propose',
  'offer.agree',
  'offer.withdraw',
  'offer.refuse',
  'offer.close',
  'otc.approve',
  'otc.reject',
  'job.retry',
  'message.list',
  'message.open',
  'liquidations.export',
  'audit.export',
] as const
export type BackOfficeAction = (typeof backOfficeActions)[number]

/** Pages to which a row of the log may link. */
export const backOfficePlaces = [
  'none',
  'recharge',
  'withdrawal',
  'verification',
  'trader',
  'customer',
  'offer',
  'otc_order',
  'term',
  'ieo_allocation',
] as const

export const person = {
  uid: z.int().positive(),
  nickname: z.string(),
  contact: z.string().describe('masked address or number'),
  level: z.int(),
  demo: z.boolean(),
}
/** State of approvals where two operators are required: who approved first, and whether the requesting operator may be the second. */
const eyes = {
  four_eyes: z.boolean().describe('two different operators must approve'),
  approved_by: z.string().describe('first approving operator; empty: none yet'),
  may_decide: z.boolean().describe('false for the first approving operator'),
}
const frozen = z.boolean().describe('the account is frozen: no withdrawal from it is approved or sent')
/** A row with a due time that a job has given up: a settlement, a night, a copy, a message. */
export const givenUpRow = z.object({
  id: z.int().positive(),
  job: z.string().describe('name of the job, as its metric has it'),
  row: z.string().describe('name of the row within the job'),
  tries: z.int().describe('failures'),
  fault: z.string().describe('the last error'),
  failed: timeMs.describe('when it failed last'),
})
export const messageStates = ['waiting', 'sending', 'sent', 'dropped', 'failed', 'expired'] as const
/** A message to a customer, by mail or SMS. */
export const messageRow = z.object({
  id: z.int().positive(),
  channel: z.enum(['mail', 'sms']),
  to: z.string().describe('masked address or number'),
  kind: z.string().describe('code:<scene> or notice:<kind>'),
  status: statusSet(messageStates, 'office.message', {
    waiting: 'default',
    sending: 'default',
    sent: 'up',
    dropped: 'default',
    failed: 'down',
    expired: 'warn',
  }),
  readable: z.boolean().describe('false when the text was deleted, after the message was sent or given up'),
  created: timeMs,
})
/** Statuses as operators read them; those of customers are beside their calls. */
export const rechargeStatus = statusSet(rechargeStates, 'office.state', { reviewing: 'warn', credited: 'up', rejected: 'down' })
export const withdrawStatus = statusSet(withdrawStates, 'office.state', {
  reviewing: 'warn',
  approved: 'accent',
  sent: 'accent',
  done: 'up',
  rejected: 'down',
  cancelled: 'quiet',
})
export const verificationStatus = statusSet(['reviewing', 'failed', 'passed'], 'office.state', {
  reviewing: 'warn',
  failed: 'down',
  passed: 'up',
})
export const rechargeRow = z.object({
  id: z.int().positive(),
  ...person,
  currency_code: coinCode,
  chain: z.string(),
  amount: amountIn('currency_code'),
  usd: amountIn('USD'),
  images: z.int(),
  seen_before: z.boolean().describe('one of its vouchers came with another deposit too'),
  frozen,
  status: rechargeStatus,
  reason: z.string(),
  decided_by: z.string(),
  ...eyes,
  created: timeMs,
  changed: timeMs,
})
export const withdrawalRow = z.object({
  id: z.int().positive(),
  ...person,
  currency_code: coinCode,
  channel: z.string(),
  chain: z.string(),
  amount: amountIn('currency_code'),
  fee: amountIn('currency_code'),
  received: amountIn('currency_code'),
  usd: amountIn('USD'),
  frozen,
  status: withdrawStatus,
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
  asked: z.int().describe('requested level'),
  id_type: z.enum(idTypes),
  seen_before: z.boolean().describe('another account has sent a document with this number'),
  status: verificationStatus,
  reason: z.string(),
  decided_by: z.string(),
  created: timeMs,
  changed: timeMs,
})
/** reviewing → passed | failed; passed → ended: others can no longer copy the trader. */
export const traderReviewStates = ['reviewing', 'failed', 'passed', 'ended'] as const
export type TraderReviewState = (typeof traderReviewStates)[number]
export const traderReviewRow = z.object({
  id: z.int().positive(),
  ...person,
  trader_name: z.string().describe('that is asked for'),
  introduction: z.string(),
  status: statusSet(traderReviewStates, 'office.state', { reviewing: 'warn', failed: 'down', passed: 'up', ended: 'quiet' }),
  reason: z.string().describe('of the last decision; the customer reads it'),
  decided_by: z.string().describe('who made the last decision'),
  created: timeMs,
  changed: timeMs.describe('the last decision'),
})
export const term = z.object({
  name: z.string(),
  value: z.string().describe('as it is typed: shares in percent'),
  shown: z.string().describe('with its unit'),
  choice: z.string().optional().describe('stem of the text that says a choice: office.choice_<choice>_<value>; empty: none'),
})
export const change = term.extend({ before: z.string().describe('as it is shown; empty where it is new') })
/** A change that waits for a second administrator. */
export const proposalShown = z.object({
  id: z.int().positive(),
  by: z.string(),
  time: timeMs,
  changes: z.array(change).max(listMost.terms).meta({ key: 'name' }),
  own: z.boolean().describe('of who asks'),
  may_agree: z.boolean().describe('for administrators except the one who proposed it'),
})
export const termVersions = z
  .array(change.extend({ key: z.string().describe('version and name'), version: z.int().positive(), by: z.string(), time: timeMs }))
  .meta({ key: 'key' })
  .describe('changes of each version, newest first; the first version has one row without a name')
export const picture = z.object({ id: z.string(), src: z.string().describe('path on this origin, for reviewers only') })
export const customerRow = z.object({
  ...person,
  status: statusSet(['active', 'frozen'], 'office.state', { active: 'up', frozen: 'down' }),
  freeze_asked: z.string().describe('operator who asked for it to be frozen, while a second one has not agreed; empty: nobody'),
  usd: amountIn('USD'),
  created: timeMs,
  seen: timeMs.nullable(),
})
export const auditRow = z.object({
  id: z.int().positive(),
  time: timeMs,
  operator: z.string(),
  action: z.enum(backOfficeActions),
  subject: z.string().describe('recharge:12, customer:100001 …'),
  detail: z.string().describe('in words; empty where it is a list of changes'),
  changes: z
    .array(z.object({ name: z.string(), before: z.string(), after: z.string() }))
    .max(listMost.terms)
    .meta({ key: 'name' })
    .describe('of terms and rules, as they are shown'),
  leads_to: z.enum(backOfficePlaces).describe('page of the back office that shows the subject'),
  number: z.int().min(0).describe('id of the subject; 0 without one'),
  product: z.string().describe('of terms; empty for other subjects'),
  key: z.string().describe('of terms; empty for other subjects'),
})
export const backOfficeRules = z.object({
  four_eyes_usd: amountIn('USD').describe('worth from which two operators must approve'),
  changed_by: z.string(),
  changed: timeMs.nullable(),
  version: z.int().positive(),
  proposal: proposalShown.nullable().describe('a weaker rule that waits for the approval of a second administrator'),
})
