import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { factor } from '#contract/credentials.ts'
import { amountIn, listOf, page, size, timeMs } from '#contract/fields.ts'

const none = z.object({})

export const idTypes = ['id_card', 'passport', 'driver_licence'] as const
/** In this order: not authenticated, under review, failed with a reason, authenticated. */
export const identityStates = ['none', 'reviewing', 'failed', 'passed'] as const

const levelRow = z.object({
  level: z.int().min(1).max(2),
  status: z.enum(identityStates),
  reason: z.string().describe('why it failed; empty otherwise'),
  id_type: z.enum(idTypes).nullable(),
  name: z.string().describe('masked; empty when nothing was sent'),
  number: z.string().describe('masked'),
  submitted: timeMs.nullable(),
  reviewed: timeMs.nullable(),
  limit_btc: amountIn('BTC').describe('withdrawals in 24 hours with this level'),
  order_limit_usd: amountIn('USD').describe('one order to a bank with this level'),
})
const auth = z.object({
  level: z.int().min(0).max(2).describe('proved so far'),
  status: z.enum(identityStates).describe('of the highest level that something was sent for'),
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
  'key_reused',
  'account_frozen',
] as const
const idType = z.enum([...idTypes, '1', '2', '3']).transform((text) => idTypes[Number(text) - 1] ?? (text as (typeof idTypes)[number]))
const realType = z.enum(['1', '2']).transform(Number)
const word = (max: number) => z.string().max(max).optional()

/** What a card may carry; which of it a form asks for is the operator's choice. Some names are older than their labels. */
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
  ...Object.fromEntries(
    Object.keys(cardFields).map((name) => [name, z.string().describe('masked where it is a number; empty when there is none')]),
  ),
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
    summary: 'What the customer has proved of themselves, and what each level allows',
  },
  'user.real': {
    method: 'POST',
    path: '/user/real',
    auth: 'user',
    keyed: 'money',
    input: z.object({ id_type: idType, name: z.string().max(80), card_id: z.string().max(40), real_type: realType.default(1) }),
    output: auth,
    problems: personProblems,
    summary: 'Sends what level 1 asks for; it is reviewed',
  },
  'user.doAuth': {
    method: 'POST',
    path: '/user/doAuth',
    auth: 'user',
    keyed: 'money',
    input: z.object({
      id_type: idType,
      name: z.string().max(80),
      idnumber: z.string().max(40),
      front_pic: z.string().max(300).describe('what common.upload answered for purpose identity'),
      reverse_pic: z.string().max(300).optional().describe('not for passports'),
      real_type: realType.default(2),
    }),
    output: auth,
    problems: [...personProblems, 'picture_missing', 'not_found'],
    summary: 'Sends what level 2 asks for, with pictures of the document; it is reviewed',
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
    input: z.object({ ...cardFields, totp: factor }),
    output: card,
    problems: cardProblems,
    summary: 'Saves the bank card, in place of the one before',
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
    input: z.object({ ...cardFields, totp: factor }),
    output: card,
    problems: cardProblems,
    summary: 'Saves the international bank card, in place of the one before',
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
        .meta({ key: 'month' })
        .describe('the last twelve, oldest first'),
      earned_usd: amountIn('USD').describe('share of fees so far'),
    }),
    problems: [],
    summary: 'Who came with the invite code, and when',
  },
  'user.outcome': {
    method: 'GET',
    path: '/user/outcome',
    auth: 'user',
    reads: true,
    input: z.object({ key: z.string().min(1).max(255).describe('Idempotency-Key of an earlier call') }),
    output: z.object({
      state: z.enum(['done', 'running', 'unknown']).describe('unknown: nothing with this key has happened'),
      call: z.string().describe('its name; empty when unknown'),
      answer: z.string().describe('the data of its answer as JSON; empty unless done'),
    }),
    problems: [],
    summary: 'What became of a call whose answer was lost',
  },
})
