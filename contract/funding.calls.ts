import * as z from 'zod'
import { calls } from '#contract/call.ts'
import { code, passwordText } from '#contract/credentials.ts'
import { amountText, chain, coin, currencyId, decimal, id, listOf, page, size, timeMs } from '#contract/fields.ts'

const none = z.object({})

/** How a withdrawal leaves. */
export const withdrawChannels = ['address', 'bank', 'bank_international'] as const
/** 04-domain-rules: requested → reviewing → approved → sent → done | rejected | cancelled; recharges: reviewing → credited | rejected. */
export const withdrawStates = ['reviewing', 'approved', 'sent', 'done', 'rejected', 'cancelled'] as const
export const rechargeStates = ['reviewing', 'credited', 'rejected'] as const
const addressRow = z.object({
  id: z.int().positive(),
  ...{ currency_id: z.int().positive(), currency_code: z.string(), chain: z.string() },
  ...{ name: z.string(), address: z.string(), tag: z.string().describe('destination tag; empty: none'), qrcode: z.string() },
  usable_from: timeMs.describe('withdrawals to it wait until then'),
  created: timeMs,
})
const recordRow = z.object({
  id: z.int().positive(),
  type: z.enum(['recharge', 'withdraw']),
  ...{ currency_id: z.int().positive(), currency_code: z.string() },
  channel: z.string().describe('address, bank, bank_international, voucher'),
  chain: z.string().describe('empty for banks'),
  to: z.string().describe('masked: where it goes, or came in'),
  tag: z.string().describe('destination tag beside the address; empty: none'),
  ...{ amount: decimal, fee: decimal, received: decimal },
  status: z.enum([...new Set([...rechargeStates, ...withdrawStates])]),
  reason: z.string().describe('why it was rejected; empty otherwise'),
  reference: z.string().describe('of the transaction or bank transfer, once it is sent'),
  can_cancel: z.boolean(),
  created: timeMs,
  changed: timeMs,
})
/** What every call that moves money may refuse. */
export const moneyProblems = [
  'insufficient_balance',
  'amount_wrong',
  'amount_too_small',
  'currency_closed',
  'key_reused',
  'account_frozen',
] as const

export const fundingCalls = calls({
  'wallet.getPayable': {
    method: 'POST',
    path: '/wallet/getPayable',
    auth: 'user',
    input: none,
    output: z.object({
      list: z
        .array(
          z.object({
            ...{ ...coin, name: z.string() },
            chains: z
              .array(z.object({ chain: z.string(), min: decimal, tag: z.boolean().describe('its addresses may have a destination tag') }))
              .meta({ key: 'chain' }),
          }),
        )
        .meta({ key: 'currency_id' }),
    }),
    problems: [],
    summary: 'What can be recharged, and on which chains',
  },
  'wallet.getInAddress': {
    method: 'POST',
    path: '/wallet/get_in_address',
    auth: 'user',
    input: z.object({ currency_id: currencyId, chain: chain.optional().describe('left out: the first of the coin') }),
    output: z.object({
      ...coin,
      chain: z.string(),
      address: z.string(),
      min: decimal.describe('smaller amounts are not credited'),
      source: z.string().describe('who keeps the address: embedded, a stand-in that receives nothing from outside'),
    }),
    problems: ['currency_unknown', 'currency_closed', 'chain_unknown'],
    summary: 'Where to send coins to',
  },
  'wallet.recharge': {
    method: 'POST',
    path: '/wallet/recharge',
    auth: 'user',
    keyed: 'money',
    input: z.object({
      imgs: z.string().max(1_000).optional().describe('1 to 3 addresses of common.upload, parted by commas: the vouchers'),
      amount: amountText,
      currency_id: currencyId,
      type: z.string().max(20).default('voucher'),
      chain: chain.optional(),
    }),
    output: z.object({ id: z.int().positive(), status: z.enum(rechargeStates), amount: decimal, created: timeMs }),
    problems: [
      'voucher_missing',
      'amount_wrong',
      'amount_too_small',
      'currency_unknown',
      'currency_closed',
      'chain_unknown',
      'not_found',
      'too_many_open',
      'key_reused',
    ],
    summary: 'Tells of a deposit with its voucher; it is credited after review',
  },
  'wallet.getRecord': {
    method: 'POST',
    path: '/wallet/getRecord',
    auth: 'user',
    input: z.object({
      page,
      size,
      type: z.enum(['recharge', 'withdraw']).optional().describe('left out: both'),
      currency_id: currencyId.optional(),
    }),
    output: listOf(recordRow, 'id'),
    problems: [],
    summary: 'Recharges and withdrawals, newest first',
  },
  'wallet.getWithdrawInfo': {
    method: 'POST',
    path: '/wallet/getWithdrawInfo',
    auth: 'user',
    input: z.object({ currency_id: currencyId, channel: z.enum(withdrawChannels).default('address'), chain: chain.optional() }),
    output: z.object({
      ...coin,
      channel: z.enum(withdrawChannels),
      chains: z.array(z.string()),
      available: decimal,
      fee: decimal.describe('fixed part, in the coin'),
      fee_rate: decimal.describe('part of the amount'),
      min: decimal,
      max: decimal.describe('what can be withdrawn now: the balance, the limit of 24 hours and of one order'),
      level: z.int().min(0).max(2),
      limit_btc: decimal,
      used_btc: decimal.describe('requested within the last 24 hours, without what was refused'),
      left_btc: decimal,
      left: decimal.describe('the same in this coin'),
      order_limit_usd: decimal.nullable().describe('of one order to a bank; null: none'),
      usd_rate: decimal.describe('USD for one unit'),
      hold_until: timeMs.nullable(),
      verified: z.boolean(),
      needs_pay_password: z.boolean().describe('false: a pay password must be set first'),
      needs_totp: z.boolean(),
      code_to: z.string().describe('masked address that the code goes to; empty: nothing is bound'),
      code_by: z.enum(['mail', 'sms', 'none']),
      card: z.string().describe('masked card of the channel; empty: none is saved, or the channel is no bank'),
    }),
    problems: ['currency_unknown', 'currency_closed', 'chain_unknown'],
    summary: 'What a withdrawal costs, and how much may leave',
  },
  'wallet.withdraw': {
    method: 'POST',
    path: '/wallet/withdraw',
    auth: 'user',
    keyed: 'money',
    input: z.object({
      currency_id: currencyId,
      amount: amountText.describe('what leaves the account, fee included'),
      channel: z.enum(withdrawChannels).default('address'),
      address_id: id.optional().describe('a saved address; needed for the channel address'),
      fee: amountText.optional().describe('as it was shown; another one is refused'),
      pay_password: passwordText,
      code: code.describe('of the scene withdraw'),
      totp: z.string().max(40).optional(),
    }),
    output: recordRow,
    problems: [
      ...moneyProblems,
      ...(['verification_required', 'withdraw_on_hold', 'address_on_hold', 'address_unknown', 'card_missing', 'fee_changed'] as const),
      ...([
        'withdraw_limit',
        'order_limit',
        'pay_password_missing',
        'pay_password_wrong',
        'too_many_tries',
        'code_wrong',
        'code_void',
      ] as const),
      ...(['second_factor_required', 'second_factor_wrong', 'currency_unknown', 'chain_unknown', 'price_stale'] as const),
    ],
    summary: 'Asks for a withdrawal; the amount is frozen until it is reviewed',
  },
  'wallet.cancelWithdraw': {
    method: 'POST',
    path: '/wallet/cancelWithdraw',
    auth: 'user',
    keyed: 'money',
    input: z.object({ id }),
    output: recordRow,
    problems: ['not_found', 'state_wrong', 'key_reused'],
    summary: 'Takes back a withdrawal that nobody has approved yet; everything is available again',
  },
  'wallet.addAddress': {
    method: 'POST',
    path: '/wallet/addAddress',
    auth: 'user',
    keyed: 'data',
    input: z.object({
      currency_id: currencyId,
      chain: chain.optional().describe('left out: the first of the coin'),
      name: z.string().min(1).max(40),
      address: z.string().min(1).max(200),
      tag: z.string().max(20).optional().describe('destination tag, 0 to 4294967295; only where the chain has them'),
      qrcode: z.string().min(1).max(500).describe('text of the QR code; it must name the address'),
      pay_password: passwordText,
      code: code.describe('of the scene withdraw'),
    }),
    output: addressRow,
    problems: [
      'currency_unknown',
      'chain_unknown',
      'wallet_address_wrong',
      'wallet_tag_wrong',
      'qrcode_differs',
      'wallet_address_taken',
      'list_full',
      'pay_password_missing',
      'pay_password_wrong',
      'too_many_tries',
      'code_wrong',
      'code_void',
      'key_reused',
    ],
    summary: 'Saves an address for withdrawals; the first day none goes to it',
  },
  'wallet.delAddress': {
    method: 'POST',
    path: '/wallet/delAddress',
    auth: 'user',
    keyed: 'data',
    input: z.object({ address_id: id }),
    output: none,
    problems: ['not_found', 'key_reused'],
    summary: 'Forgets a saved address',
  },
  'wallet.getAddressList': {
    method: 'POST',
    path: '/wallet/getAddressList',
    auth: 'user',
    input: z.object({ page, size, currency_id: currencyId.optional(), chain: chain.optional() }),
    output: listOf(addressRow, 'id'),
    problems: [],
    summary: 'Saved addresses, newest first',
  },
})
