import * as z from 'zod'
import { accountKind, accountText, eventKinds } from '#contract/accounts.ts'
import { calls } from '#contract/call.ts'
import { amountText, coin, currencyId, decimal, listOf, page, size, timeMs, timeText } from '#contract/fields.ts'
import { moneyProblems } from '#contract/funding.calls.ts'

const none = z.object({})
const balance = { available: decimal, frozen: decimal, total: decimal, usd: decimal.describe('total in USD at the last price') }
const perAccount = z.array(z.object({ id: z.int().positive(), kind: accountKind, ...balance })).meta({ key: 'kind' })

/** The fiat currencies that the app offers, in the order of the specification. */
export const fiats = ['USD', 'CNY', 'GBP', 'HKD', 'JPY', 'EUR', 'AED', 'THB', 'PHP', 'SGD', 'VND'] as const

const logFilter = {
  currency_id: currencyId.optional(),
  account: accountText.optional(),
  kind: z.enum(eventKinds).optional(),
  from: timeText.optional().describe('ms UTC, inclusive; up to ten digits are seconds'),
  to: timeText.optional().describe('ms UTC, exclusive; up to ten digits are seconds'),
}
const logRow = z.object({
  id: z.int().positive(),
  time: timeMs,
  kind: z.enum(eventKinds),
  account: accountKind,
  part: z.enum(['available', 'frozen']),
  ...{ currency_id: z.int().positive(), currency_code: z.string() },
  amount: decimal.describe('negative: less'),
  balance: decimal.describe('of that account and part, after it'),
  source: z.string().describe('what it belongs to, such as withdraw:12'),
})
const transferRow = z.object({
  id: z.int().positive(),
  ...{ currency_id: z.int().positive(), currency_code: z.string() },
  ...{ from: accountKind, to: accountKind, amount: decimal, time: timeMs },
})
const transferred = z.object({ id: z.int().positive(), amount: decimal, from: accountKind, to: accountKind, time: timeMs })

export const walletCalls = calls({
  'currency.list': {
    method: 'GET',
    path: '/currency/list',
    auth: 'none',
    reads: true,
    input: none,
    output: z.object({
      list: z
        .array(
          z.object({
            id: z.int().positive(),
            name: z.string(),
            currency_code: z.string(),
            sub_name: z.array(z.string()).describe('chains, such as ERC20 and TRC20'),
            status: z.int().min(0).max(1),
            scale: z.int().describe('decimals'),
            rate: decimal.describe('price of one unit in USD'),
          }),
        )
        .meta({ key: 'id' }),
    }),
    problems: [],
    summary: 'Coins of the platform',
  },
  'wallet.getRateCurrency': {
    method: 'GET',
    path: '/wallet/getRateCurrency',
    auth: 'none',
    reads: true,
    input: none,
    output: z.object({
      base: z.literal('USD'),
      saveTime: timeMs.describe('when the rates were fetched'),
      source: z.string().describe('embedded, or the host that the rates came from'),
      list: z.array(z.object({ currency_code: z.enum(fiats), rate: decimal.describe('units for one USD') })).meta({ key: 'currency_code' }),
    }),
    problems: ['rates_unavailable'],
    summary: 'Fiat rates against USD, fetched at most once in 24 hours',
  },
  'currency.userCurrencyList': {
    method: 'GET',
    path: '/currency/user_currency_list',
    auth: 'user',
    reads: true,
    input: none,
    output: z.object({
      list: z.array(z.object({ ...coin, name: z.string(), ...balance, accounts: perAccount })).meta({ key: 'currency_id' }),
    }),
    problems: [],
    summary: 'Every coin with what the customer has of it',
  },
  'wallet.getWalletInfo': {
    method: 'POST',
    path: '/wallet/getWalletInfo',
    auth: 'user',
    reads: true,
    input: none,
    output: z.object({
      total_usd: decimal,
      total_btc: decimal,
      demo: z.boolean().describe('demonstration money'),
      accounts: z
        .array(z.object({ id: z.int().positive(), kind: accountKind, usd: decimal, share: decimal.describe('of the total, 0 to 1') }))
        .meta({ key: 'kind' }),
      coins: z
        .array(z.object({ ...coin, usd: decimal, share: decimal }))
        .meta({ key: 'currency_id' })
        .describe('largest first, without those of no worth'),
    }),
    problems: [],
    summary: 'Worth of everything, by account and by coin',
  },
  'wallet.getAsset': {
    method: 'POST',
    path: '/wallet/getAsset',
    auth: 'user',
    reads: true,
    input: z.object({ account: accountText.default('change') }),
    output: z.object({
      account: accountKind,
      usd: decimal,
      list: z.array(z.object({ ...coin, name: z.string(), ...balance })).meta({ key: 'currency_id' }),
    }),
    problems: [],
    summary: 'Coins of one account, those of worth first',
  },
  'wallet.getCurrencyAsset': {
    method: 'POST',
    path: '/wallet/getCurrencyAsset',
    auth: 'user',
    reads: true,
    input: z.object({ currency_id: currencyId }),
    output: z.object({
      ...coin,
      name: z.string(),
      rate: decimal,
      price_symbol: z.string().describe('its market; empty for a coin that stands for the dollar'),
      ...balance,
      accounts: perAccount,
    }),
    problems: ['currency_unknown'],
    summary: 'One coin over all accounts',
  },
  'wallet.getBalance': {
    method: 'POST',
    path: '/wallet/getBalance',
    auth: 'user',
    reads: true,
    input: z.object({ currency_id: currencyId, account: accountText.default('change') }),
    output: z.object({ ...coin, account: accountKind, ...balance }),
    problems: ['currency_unknown'],
    summary: 'One coin in one account',
  },
  'wallet.getSymbolList': {
    method: 'POST',
    path: '/wallet/getSymbolList',
    auth: 'user',
    reads: true,
    input: none,
    output: z.object({
      list: z
        .array(
          z.object({
            ...coin,
            name: z.string(),
            recharge: z.boolean(),
            withdraw: z.boolean(),
            exchange: z.boolean(),
            available: decimal.describe('in change'),
          }),
        )
        .meta({ key: 'currency_id' }),
    }),
    problems: [],
    summary: 'Which coin can be recharged, withdrawn and exchanged now',
  },
  'wallet.getWalletLog': {
    method: 'POST',
    path: '/wallet/getWalletLog',
    auth: 'user',
    reads: true,
    input: z.object({ page, size, ...logFilter }),
    output: listOf(logRow, 'id'),
    problems: ['range_too_wide', 'range_reversed'],
    summary: 'The bill: every change of every balance, newest first',
  },
  'wallet.exportLog': {
    method: 'POST',
    path: '/wallet/exportLog',
    auth: 'user',
    reads: true,
    input: z.object(logFilter),
    output: z.object({
      name: z.string().describe('file name'),
      type: z.literal('text/csv'),
      text: z.string(),
      rows: z.int(),
      cut: z.boolean().describe('there is more than fits'),
    }),
    problems: ['range_too_wide', 'range_reversed'],
    summary: 'The bill as CSV, 5,000 rows at most; headings in the language of the request',
  },
  'wallet.getTransferList': {
    method: 'POST',
    path: '/wallet/getTransferList',
    auth: 'user',
    reads: true,
    input: z.object({ currency_id: currencyId.optional() }),
    output: z.object({
      accounts: z.array(z.object({ id: z.int().positive(), kind: accountKind })).meta({ key: 'kind' }),
      list: z.array(z.object({ ...coin, legal: decimal, change: decimal, lever: decimal, micro: decimal })).meta({ key: 'currency_id' }),
    }),
    problems: [],
    summary: 'What can be moved between which accounts: the available balances',
  },
  'wallet.transfer': {
    method: 'POST',
    path: '/wallet/transfer',
    auth: 'user',
    keyed: 'money',
    input: z.object({ amount: amountText, currency_id: currencyId, from: accountText, to: accountText }),
    output: transferred,
    problems: [...moneyProblems, 'currency_unknown', 'accounts_same'],
    summary: 'Moves a coin between two accounts of the customer, without a fee',
  },
  'user.Transfer': {
    method: 'POST',
    path: '/user/Transfer',
    auth: 'user',
    keyed: 'money',
    input: z.object({ number: amountText, currency_id: currencyId, from: accountText, to: accountText }),
    output: transferred,
    problems: [...moneyProblems, 'currency_unknown', 'accounts_same'],
    summary: 'The same as wallet.transfer under its other name',
  },
  'wallet.hzhistory': {
    method: 'GET',
    path: '/wallet/hzhistory',
    auth: 'user',
    reads: true,
    input: z.object({ page, size, currency_id: currencyId.optional() }),
    output: listOf(transferRow, 'id'),
    problems: [],
    summary: 'Transfers between accounts, newest first',
  },
  'wallet.getExchangeRate': {
    method: 'POST',
    path: '/wallet/getExchangeRate',
    auth: 'user',
    reads: true,
    input: z.object({ from_currency_id: currencyId, to_currency_id: currencyId }),
    output: z.object({
      quote_id: z.string(),
      ...{ from_currency_id: z.int().positive(), to_currency_id: z.int().positive(), from_code: z.string(), to_code: z.string() },
      rate: decimal.describe('market: units of the second for one of the first'),
      spread: decimal.describe('what the platform keeps, a part of one'),
      net_rate: decimal.describe('what is paid: rate × (1 − spread), at 18 decimals at most'),
      available: decimal.describe('of the first coin, in change'),
      min: decimal.describe('of the first coin'),
      ...{ from_scale: z.int(), to_scale: z.int() },
      expires: timeMs,
    }),
    problems: ['currency_unknown', 'currency_closed', 'currencies_same', 'price_stale'],
    summary: 'A rate that holds for ten seconds',
  },
  'wallet.exchange': {
    method: 'POST',
    path: '/wallet/exchange',
    auth: 'user',
    keyed: 'money',
    input: z.object({ amount: amountText, from_currency_id: currencyId, to_currency_id: currencyId, quote_id: z.string().min(1).max(60) }),
    output: z.object({
      id: z.int().positive(),
      paid: decimal,
      received: decimal,
      rate: decimal,
      from_code: z.string(),
      to_code: z.string(),
      time: timeMs,
    }),
    problems: [...moneyProblems, 'currency_unknown', 'currencies_same', 'quote_expired', 'quote_unknown'],
    summary: 'Changes one coin into another at a rate that was quoted; an old one is never used',
  },
})
