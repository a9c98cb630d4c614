import * as z from 'zod'
import { accountKind, eventKinds } from '#contract/accounts.ts'
import { calls } from '#contract/call.ts'
import { backOfficeDualCalls } from '#contract/calls/dual.calls.ts'
import { backOfficeMiningCalls } from '#contract/calls/earning/mining.calls.ts'
import { rechargeStates, withdrawStates } from '#contract/calls/funding.calls.ts'
import { backOfficeIeoCalls } from '#contract/calls/ieo.calls.ts'
import { backOfficeOtcCalls } from '#contract/calls/office.otc.calls.ts'
import {
  auditRow,
  backOfficeRules,
  customerRow,
  givenUpRow,
  messageRow,
  picture,
  rechargeRow,
  rechargeStatus,
  traderReviewRow,
  traderReviewStates,
  verificationRow,
  verificationStatus,
  withdrawalRow,
  withdrawStatus,
} from '#contract/calls/office.rows.ts'
import { backOfficeTermsCalls } from '#contract/calls/office.terms.calls.ts'
import { backOfficeTradingCalls } from '#contract/calls/office.trading.calls.ts'
import { amountIn, amountText, coinCode, id, integerText, listOf, page, size, timeMs, words } from '#contract/fields.ts'

/** Calls of the back office to the API server: queues of reviews, and customers. Under /console/back-office/api; not part of the app. */

const none = z.object({})
const reviewer = ['reviewer'] as const
/** Roles that do not review may read the rules and the log. */
const supervisor = ['reviewer', 'administrator'] as const
const administrator = ['administrator'] as const
const reason = words(300).trim().min(1).describe('the customer reads it')
const note = words(300).optional().describe('for the records')
const uid = integerText(1, 9_007_199_254_740_991)
const decided = ['not_found', 'state_wrong', 'own_decision', 'fresh_login_required', 'key_reused'] as const
const listed = { page, size: size.default(20), search: z.string().max(80).optional().describe('uid, nickname, address or number') }
const auditFilter = {
  operator: z.string().max(60).optional(),
  action: z.string().max(60).optional(),
  subject: z.string().max(60).optional(),
}
const reads = { method: 'GET', auth: 'operator', roles: reviewer, reads: true, problems: [] } as const
const reads1 = { ...reads, problems: ['not_found'] } as const
const decides = { method: 'POST', auth: 'operator', roles: reviewer, keyed: 'money', problems: decided } as const

export const backOfficeCalls = calls({
  'office.counts': {
    ...reads,
    path: '/counts',
    input: none,
    output: z.object({
      recharges: z.int(),
      withdrawals: z.int(),
      verifications: z.int(),
      traders: z.int().describe('applications of traders'),
      otc: z.int().describe('OTC orders'),
      to_send: z.int().describe('approved withdrawals that were not sent yet'),
    }),
    summary: 'Number of waiting requests in each queue',
  },
  'office.recharges': {
    ...reads,
    path: '/recharges',
    input: z.object({ ...listed, status: z.enum(['all', ...rechargeStates]).default('reviewing') }),
    output: listOf(rechargeRow, 'id'),
    summary: 'Deposits; waiting ones oldest first',
  },
  'office.recharge': {
    ...reads1,
    path: '/recharge',
    input: z.object({ id }),
    output: rechargeRow.extend({
      pictures: z.array(picture).meta({ key: 'id' }),
      address: z.string().describe('where it should have arrived'),
      same_picture: z
        .array(z.object({ id: z.int().positive(), uid: z.int().positive(), status: rechargeStatus }))
        .meta({ key: 'id' })
        .describe('the latest 5 other deposits with one of its vouchers'),
    }),
    summary: 'One deposit with its vouchers',
  },
  'office.rechargeApprove': {
    ...decides,
    path: '/rechargeApprove',
    input: z.object({ id, note }),
    output: rechargeRow,
    summary: 'Credits a deposit, after two approvals where two operators are required',
  },
  'office.rechargeReject': {
    ...decides,
    path: '/rechargeReject',
    input: z.object({ id, reason }),
    output: rechargeRow,
    summary: 'Refuses a recharge',
  },
  'office.withdrawals': {
    ...reads,
    path: '/withdrawals',
    input: z.object({
      ...listed,
      status: z
        .enum(['all', 'open', ...withdrawStates])
        .default('open')
        .describe('open: reviewing, approved and sent'),
    }),
    output: listOf(withdrawalRow, 'id'),
    summary: 'Withdrawals; waiting ones oldest first',
  },
  'office.withdrawal': {
    ...reads1,
    path: '/withdrawal',
    input: z.object({ id }),
    output: withdrawalRow.extend({
      to: z
        .array(z.object({ field: z.string().describe('label key of the back office: address, name, bank_account …'), value: z.string() }))
        .meta({ key: 'field' })
        .describe('full destination'),
      history: z
        .array(z.object({ id: z.int(), time: timeMs, status: withdrawStatus, by: z.string(), note: z.string() }))
        .meta({ key: 'id' }),
      last_day_btc: amountIn('BTC'),
      limit_btc: amountIn('BTC'),
    }),
    summary: 'One withdrawal: its destination, its steps, and other withdrawals within a day',
  },
  'office.withdrawApprove': {
    ...decides,
    path: '/withdrawApprove',
    input: z.object({ id, note }),
    output: withdrawalRow,
    problems: [...decided, 'account_frozen'],
    summary: 'Approves a withdrawal, after two approvals where two operators are required',
  },
  'office.withdrawReject': {
    ...decides,
    path: '/withdrawReject',
    input: z.object({ id, reason }),
    output: withdrawalRow,
    summary: 'Rejects a withdrawal; the amount is available to the customer again',
  },
  'office.withdrawSent': {
    ...decides,
    path: '/withdrawSent',
    input: z.object({ id, reference: words(120).trim().min(1) }),
    output: withdrawalRow,
    problems: [...decided, 'account_frozen'],
    summary: 'Records that it was sent, and under which reference',
  },
  'office.withdrawDone': {
    ...decides,
    path: '/withdrawDone',
    input: z.object({ id }),
    output: withdrawalRow,
    summary: 'Records that it has arrived; the money leaves the ledger',
  },
  'office.verifications': {
    ...reads,
    path: '/verifications',
    input: z.object({ ...listed, status: z.enum(['all', 'reviewing', 'failed', 'passed']).default('reviewing') }),
    output: listOf(verificationRow, 'id'),
    summary: 'Identity verifications; waiting ones oldest first',
  },
  'office.verification': {
    ...reads1,
    path: '/verification',
    input: z.object({ id }),
    output: verificationRow.extend({
      name: z.string(),
      number: z.string(),
      pictures: z.array(picture).meta({ key: 'id' }),
      earlier: z.int().describe('number of earlier rejections of this customer'),
      same_document: z
        .array(z.object({ uid: z.int().positive(), id: z.int().positive(), status: verificationStatus }))
        .meta({ key: 'uid' })
        .describe('the latest 5 other customers with a document of this number'),
    }),
    summary: 'One identity verification in full; the access is recorded',
  },
  'office.verifyApprove': {
    ...decides,
    path: '/verifyApprove',
    input: z.object({ id, note }),
    output: verificationRow,
    problems: [...decided, 'contacts_unbound'],
    summary: 'Raises the customer to the level',
  },
  'office.verifyReject': {
    ...decides,
    path: '/verifyReject',
    input: z.object({ id, reason }),
    output: verificationRow,
    summary: 'Rejects an identity verification with a reason',
  },
  'office.traders': {
    ...reads,
    path: '/traders',
    input: z.object({ ...listed, status: z.enum(['all', ...traderReviewStates]).default('reviewing') }),
    output: listOf(traderReviewRow, 'id'),
    summary: 'Applications of traders; those that wait, oldest first',
  },
  'office.trader': {
    ...reads1,
    path: '/trader',
    input: z.object({ id }),
    output: traderReviewRow.extend({
      earlier: z.int().describe('how often this customer was refused before'),
      closed: z.int().nonnegative().describe('positions that the customer has closed so far'),
      winning: z.int().nonnegative(),
      profit: amountIn('USDT').describe('realised, after all costs'),
      followers: z.int().nonnegative().describe('who copies the trader now'),
    }),
    summary: 'One application of a trader, with what the customer has traded',
  },
  'office.traderApprove': {
    ...decides,
    path: '/traderApprove',
    input: z.object({ id, note }),
    output: traderReviewRow,
    summary: 'Accepts a trader; others can copy their positions from then on',
  },
  'office.traderReject': {
    ...decides,
    path: '/traderReject',
    input: z.object({ id, reason }),
    output: traderReviewRow,
    summary: 'Sends an application back with a reason',
  },
  'office.traderEnd': {
    ...decides,
    path: '/traderEnd',
    input: z.object({ id, reason }),
    output: traderReviewRow,
    summary: 'Ends an accepted trader for good, with a reason: whoever copies the trader copies nothing new from then on',
  },
  'office.customers': {
    ...reads,
    path: '/customers',
    input: z.object({ ...listed, status: z.enum(['all', 'active', 'frozen']).default('all') }),
    output: listOf(customerRow, 'uid'),
    summary: 'Customers, newest first',
  },
  'office.customer': {
    ...reads1,
    path: '/customer',
    input: z.object({ uid }),
    output: customerRow.extend({
      hold_until: timeMs.nullable(),
      positions: z.int().nonnegative().describe('open positions of contracts; with one, two operators must agree to freeze the account'),
      sessions: z.array(z.object({ id: z.string(), device: z.string(), ip: z.string(), seen: timeMs })).meta({ key: 'id' }),
      balances: z
        .array(
          z.object({
            id: z.string(),
            account: accountKind,
            currency_code: coinCode,
            available: amountIn('currency_code'),
            frozen: amountIn('currency_code'),
            usd: amountIn('USD'),
          }),
        )
        .meta({ key: 'id' }),
      log: z
        .array(
          z.object({
            id: z.int(),
            time: timeMs,
            kind: z.enum(eventKinds),
            account: accountKind,
            currency_code: coinCode,
            amount: amountIn('currency_code'),
            balance: amountIn('currency_code'),
          }),
        )
        .meta({ key: 'id' })
        .describe('the latest 20'),
    }),
    summary: 'One customer: balances, sessions, latest movements',
  },
  'office.customerFreeze': {
    ...decides,
    path: '/customerFreeze',
    input: z.object({ uid, frozen: z.enum(['0', '1']), reason }),
    output: customerRow,
    summary:
      'Freezes or releases an account, after a recent login. Where positions are open the first operator only asks, and a second one freezes; releasing takes back what was asked',
  },
  'office.customerEndSessions': {
    ...decides,
    path: '/customerEndSessions',
    input: z.object({ uid, reason }),
    output: z.object({ ended: z.int() }),
    summary: 'Logs a customer out everywhere',
  },
  'office.audit': {
    ...reads,
    roles: supervisor,
    path: '/audit',
    input: z.object({ page, size: size.default(20), ...auditFilter }),
    output: listOf(auditRow, 'id'),
    summary: 'Log of the back office, newest first',
  },
  'office.auditCsv': {
    ...reads,
    roles: supervisor,
    path: '/auditCsv',
    streams: true,
    input: z.object(auditFilter),
    output: z.object({}),
    summary: 'The log as CSV, newest first, 200,000 rows at most',
  },
  'office.jobs': {
    ...reads,
    roles: supervisor,
    path: '/jobs',
    input: z.object({ page, size: size.default(20) }),
    output: listOf(givenUpRow, 'id'),
    summary: 'Rows of jobs that were given up after six failures, newest first',
  },
  'office.jobRetry': {
    ...decides,
    roles: supervisor,
    problems: ['not_found', 'key_reused'],
    path: '/jobRetry',
    input: z.object({ id }),
    output: z.object({ id: z.int().positive() }),
    summary: 'Has a row that was given up tried again at once',
  },
  'office.messages': {
    ...reads,
    roles: administrator,
    path: '/messages',
    input: z.object({
      page,
      size: size.default(20),
      search: z.string().max(200).optional().describe('part of an address, a number or a kind'),
    }),
    output: listOf(messageRow, 'id'),
    summary: 'Messages to customers without their texts, newest first; the access is recorded',
  },
  'office.messageOpen': {
    method: 'POST',
    auth: 'operator',
    roles: administrator,
    path: '/messageOpen',
    problems: ['not_found'],
    input: z.object({ id, reason: words(300).trim().min(1) }),
    output: messageRow.extend({
      address: z.string(),
      subject: z.string(),
      text: z.string().describe('empty once it was deleted'),
      code: z.string().describe('the six digits of a message with a code; otherwise empty'),
    }),
    summary: 'One message in full; the access and its reason are recorded',
  },
  'office.settings': {
    ...reads,
    roles: supervisor,
    path: '/settings',
    input: none,
    output: backOfficeRules,
    summary: 'Rules of the back office',
  },
  'office.settingsSave': {
    ...decides,
    roles: administrator,
    path: '/settingsSave',
    input: z.object({ four_eyes_usd: amountText.meta({ coin: 'USD' }) }),
    output: backOfficeRules,
    problems: ['amount_wrong', 'state_wrong', 'fresh_login_required', 'key_reused'],
    summary: 'Sets the rules of the back office: a stricter rule at once, a weaker rule after the approval of another administrator',
  },
  ...backOfficeTermsCalls,
  ...backOfficeTradingCalls,
  ...backOfficeOtcCalls,
  ...backOfficeDualCalls,
  ...backOfficeIeoCalls,
  ...backOfficeMiningCalls,
})
