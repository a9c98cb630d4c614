import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { code, factor } from '#contract/credentials.ts'
import { amountIn, listMost, listOf, page, size, timeMs } from '#contract/fields.ts'
import { type IdType, idTypes } from '#contract/rules/document.rules.ts'

const none = z.object({})

/** In this order: not verified, under review, rejected with a reason, verified. */
export const identityStates = ['none', 'reviewing', 'failed', 'passed'] as const

const levelRow = z.object({
  level: z.int().min(1).max(2),
  status: z.enum(identityStates),
  reason: z.string().describe('reason of the rejection; empty otherwise'),
  id_type: z.enum(idTypes).nullable(),
  name: z.string().describe('masked; empty when nothing was submitted'),
  number: z.string().describe('masked'),
  submitted: timeMs.nullable(),
  reviewed: timeMs.nullable(),
  limit_btc: amountIn('BTC').describe('limit of withdrawals in 24 hours at this level'),
  order_limit_usd: amountIn('USD').describe('limit of one withdrawal to a bank at this level'),
})
const auth = z.object({
  level: z.int().min(0).max(2).describe('proved so far'),
  status: z.enum(identityStates).describe('of the highest submitted level'),
  email_bound: z.boolean(),
  mobile_bound: z.boolean(),
  levels: z.array(levelRow).meta({ key: 'level' }),
})

const personProblems = [
  'contacts_unbound',
  'level_missing',
  'state_wrong',
  'name_wrong',
  'id_number_wrong',
  'code_wrong',
  'code_void',
  'key_reused',
  'account_frozen',
] as const
const idType = z.enum([...idTypes, '1', '2', '3']).transform((text) => idTypes[Number(text) - 1] ?? (text as IdType))
const realType = z.enum(['1', '2']).transform(Number)
const emailCode = code.optional().describe('of the scene identity, sent to the e-mail address of the account; older apps send none')
const word = (max: number) => z.string().max(max).optional()

/** Fields of a card. The operator chooses which of them a form asks for. Some names are older than their labels. */
const cardFields = {
  real_name: word(80).describe('holder'),
  bank_account: word(40).describe('card number or IBAN'),
  bank_name: word(80).describe('account-opening bank'),
  bank_network: word(120).describe('branch'),
  bank_dizhi: word(120).describe('city or address of the bank'),
  phone: word(30),
  alipay_account: word(40).describe('ABA number'),
  wechat_account: word(160).describe('address of the cardholder'),
  wechat_nickname: word(20).describe('SWIFT code, in older forms'),
  swift_code: word(20),
}
const card = z.object({
  saved: z.boolean(),
  ...Object.fromEntries(Object.keys(cardFields).map((name) => [name, z.string().describe('numbers are masked; empty when there is none')])),
  changed: timeMs.nullable(),
}) as z.ZodObject<{ saved: z.ZodBoolean; changed: z.ZodNullable<typeof timeMs> } & { [F in keyof typeof cardFields]: z.ZodString }>
const cardProblems = [
  'card_wrong',
  'parameter_missing',
  'key_reused',
  'account_frozen',
  'second_factor_required',
  'second_factor_wrong',
  'too_many_tries',
] as const

export const identityCalls = calls({
  'user.getAuth': {
    method: 'GET',
    path: '/user/getAuth',
    auth: 'user',
    reads: true,
    input: none,
    output: auth,
    problems: [],
    summary: 'State of identity verification, and the limits of each level',
  },
  'user.real': {
    method: 'POST',
    path: '/user/real',
    auth: 'user',
    keyed: 'money',
    unprompted: true,
    changesSession: true,
    input: z.object({
      id_type: idType,
      name: z.string().max(80),
      card_id: z.string().max(40),
      real_type: realType.default(1),
      email_code: emailCode,
    }),
    output: auth,
    problems: personProblems,
    summary: 'Submits level 1 for review',
  },
  'user.doAuth': {
    method: 'POST',
    path: '/user/doAuth',
    auth: 'user',
    keyed: 'money',
    unprompted: true,
    changesSession: true,
    input: z.object({
      id_type: idType,
      name: z.string().max(80),
      idnumber: z.string().max(40),
      front_pic: z.string().max(300).describe('address from common.upload with purpose identity'),
      reverse_pic: z.string().max(300).optional().describe('not for passports'),
      real_type: realType.default(2),
      email_code: emailCode,
    }),
    output: auth,
    problems: [...personProblems, 'picture_missing', 'not_found'],
    summary: 'Submits level 2, with pictures of the document, for review',
  },
  'user.cashInfo': {
    method: 'POST',
    path: '/user/cash_info',
    auth: 'user',
    reads: true,
    input: none,
    output: card,
    problems: [],
    summary: 'The saved bank card, with its numbers masked',
  },
  'user.cashSave': {
    method: 'POST',
    path: '/user/cash_save',
    auth: 'user',
    keyed: 'money',
    unprompted: true,
    input: z.object({ ...cardFields, totp: factor }),
    output: card,
    problems: cardProblems,
    summary: 'Saves the bank card and replaces the previous one',
  },
  'user.cashInfoInternational': {
    method: 'POST',
    path: '/user/cash_info_international',
    auth: 'user',
    reads: true,
    input: none,
    output: card,
    problems: [],
    summary: 'The saved international bank card, with its numbers masked',
  },
  'user.cashSaveInternational': {
    method: 'POST',
    path: '/user/cash_save_international',
    auth: 'user',
    keyed: 'money',
    unprompted: true,
    input: z.object({ ...cardFields, totp: factor }),
    output: card,
    problems: cardProblems,
    summary: 'Saves the international bank card and replaces the previous one',
  },
  'user.invited': {
    method: 'GET',
    path: '/user/invited',
    auth: 'user',
    reads: true,
    input: z.object({ page, size, generation: z.enum(['1', '2']).default('1') }),
    output: listOf(z.object({ id: z.string(), nickname: z.string().describe('masked'), level: z.int(), joined: timeMs }), 'id').extend({
      months: z
        .array(z.object({ month: z.string().describe('2026-11'), invited: z.int() }))
        .max(listMost.months)
        .meta({ key: 'month' })
        .describe('the last twelve, oldest first'),
      earned_usd: amountIn('USD').describe('share of fees so far'),
    }),
    problems: [],
    summary: 'Customers who registered with the invite code, and when',
  },
  'user.outcome': {
    method: 'GET',
    path: '/user/outcome',
    auth: 'user',
    reads: true,
    input: z.object({ key: z.string().min(1).max(255).describe('Idempotency-Key of an earlier call') }),
    output: z.object({
      state: z.enum(['done', 'running', 'unknown']).describe('unknown: no call with this key has had an effect'),
      call: z.string().describe('its name; empty when unknown'),
      answer: z.string().describe('data of its answer as JSON; empty unless done'),
    }),
    problems: [],
    summary: 'Outcome of a call whose answer was lost',
  },
})
