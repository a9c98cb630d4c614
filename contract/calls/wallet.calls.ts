import * as z from 'zod'
import { accountKind, accountText, eventKinds } from '#contract/accounts.ts'
import { calls } from '#contract/call.ts'
import { moneyProblems } from '#contract/calls/funding.calls.ts'
import {
  amountIn,
  amountText,
  coin,
  coinCode,
  csvFile,
  currencyId,
  decimal,
  listMost,
  listOf,
  page,
  share,
  size,
  timeMs,
  timeRange,
} from '#contract/fields.ts'

const none = z.object({})
const balance = {
  available: amountIn('currency_code'),
  frozen: amountIn('currency_code'),
  total: amountIn('currency_code'),
  usd: amountIn('USD').describe('total in USD at the last price'),
}
/** Units of the second currency for one unit of the first. */
const exchangeRate = decimal({ unit: 'rate', coin: 'to_code', per: 'from_code' })
/** Price of one unit of the currency in USD. */
const usdPrice = decimal({ unit: 'price', coin: 'USD', per: 'currency_code' })
const perAccount = z.array(z.object({ id: z.int().positive(), kind: accountKind, ...balance })).meta({ key: 'kind' })

/** The fiat currencies that the app offers, in the order of the specification. */
export const fiats = ['USD', 'CNY', 'GBP', 'HKD', 'JPY', 'EUR', 'AED', 'THB', 'PHP', 'SGD', 'VND'] as const

const logFilter = {
  currency_id: currencyId.optional(),
  account: accountText.optional(),
  kind: z.enum(eventKinds).optional(),
  ...timeRange('booked'),
}
const logRow = z.object({
  id: z.int().positive(),
  time: timeMs,
  kind: z.enum(eventKinds),
  account: accountKind,
  part: z.enum(['available', 'frozen', 'margin']).describe('margin: held by a position of contracts'),
  currency_id: z.int().positive(),
  currency_code: coinCode,
  amount: amountIn('currency_code').describe('negative: less'),
  balance: amountIn('currency_code').describe('balance of that account and part after the line'),
  source: z.string().describe('cause of the line, such as withdraw:12'),
})
const transferRow = z.object({
  id: z.int().positive(),
  currency_id: z.int().positive(),
  currency_code: coinCode,
  from: accountKind,
  to: accountKind,
  amount: amountIn('currency_code'),
  time: timeMs,
})
const transferred = z.object({
  id: z.int().positive(),
  amount: decimal({ unit: 'amount' }),
  from: accountKind,
  to: accountKind,
  time: timeMs,
})

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
            currency_code: coinCode,
            sub_name: z.array(z.string()).describe('chains, such as ERC20 and TRC20'),
            status: z.int().min(0).max(1),
            scale: z.int().describe('decimals'),
            rate: usdPrice.describe('price of one unit in USD'),
          }),
        )
        .max(listMost.currencies)
        .meta({ key: 'id' }),
    }),
    problems: [],
    summary: 'Currencies of the platform',
  },
  'wallet.getRateCurrency': {
    method: 'GET',
    path: '/wallet/getRateCurrency',
    auth: 'none',
    reads: true,
    input: none,
    output: z.object({
      base: z.literal('USD'),
      saveTime: timeMs.describe('time at which the rates were fetched'),
      source: z.string().describe('embedded, or the host of the provider'),
      list: z
        .array(
          z.object({
            currency_code: z.enum(fiats).meta({ coin: true }),
            rate: decimal({ unit: 'rate', coin: 'currency_code', per: 'USD' }).describe('units for one USD'),
          }),
        )
        .meta({ key: 'currency_code' }),
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
      list: z
        .array(z.object({ ...coin, name: z.string(), ...balance, accounts: perAccount }))
        .max(listMost.currencies)
        .meta({ key: 'currency_id' }),
    }),
    problems: [],
    summary: "All currencies with the customer's balances",
  },
  'wallet.getWalletInfo': {
    method: 'POST',
    path: '/wallet/getWalletInfo',
    auth: 'user',
    reads: true,
    input: none,
    output: z.object({
      total_usd: amountIn('USD'),
      total_btc: amountIn('BTC'),
      demo: z.boolean().describe('demonstration money'),
      accounts: z
        .array(
          z.object({
            id: z.int().positive(),
            kind: accountKind,
            usd: amountIn('USD'),
            share: share.describe('share of the total, 0 to 1'),
          }),
        )
        .meta({ key: 'kind' }),
      coins: z
        .array(z.object({ ...coin, usd: amountIn('USD'), share }))
        .meta({ key: 'currency_id' })
        .describe('largest first, without accounts of no worth'),
    }),
    problems: [],
    summary: 'Worth of all balances, by account and by currency',
  },
  'wallet.getAsset': {
    method: 'POST',
    path: '/wallet/getAsset',
    auth: 'user',
    reads: true,
    input: z.object({ account: accountText.default('change') }),
    output: z.object({
      account: accountKind,
      usd: amountIn('USD'),
      list: z
        .array(z.object({ ...coin, name: z.string(), ...balance }))
        .max(listMost.currencies)
        .meta({ key: 'currency_id' }),
    }),
    problems: [],
    summary: 'Currencies of one account, those with a worth first',
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
      rate: usdPrice,
      price_symbol: z.string().describe('its instrument; empty for a currency that is worth one dollar'),
      ...balance,
      accounts: perAccount,
    }),
    problems: ['currency_unknown'],
    summary: 'One currency over all accounts',
  },
  'wallet.getBalance': {
    method: 'POST',
    path: '/wallet/getBalance',
    auth: 'user',
    reads: true,
    input: z.object({ currency_id: currencyId, account: accountText.default('change') }),
    output: z.object({ ...coin, account: accountKind, ...balance }),
    problems: ['currency_unknown'],
    summary: 'One currency in one account',
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
            available: amountIn('currency_code').describe('in change'),
          }),
        )
        .max(listMost.currencies)
        .meta({ key: 'currency_id' }),
    }),
    problems: [],
    summary: 'Currencies that can be deposited, withdrawn and exchanged now',
  },
  'wallet.getWalletLog': {
    method: 'POST',
    path: '/wallet/getWalletLog',
    auth: 'user',
    reads: true,
    input: z.object({ page, size, ...logFilter }),
    output: listOf(logRow, 'id'),
    problems: ['range_too_wide', 'range_reversed'],
    summary: 'The statement: every change of every balance, newest first',
  },
  'wallet.exportLog': {
    method: 'POST',
    path: '/wallet/exportLog',
    auth: 'user',
    reads: true,
    input: z.object(logFilter),
    output: csvFile,
    problems: ['range_too_wide', 'range_reversed'],
    summary: 'The statement as CSV, 5,000 rows at most; headings in the language of the request',
  },
  'wallet.getTransferList': {
    method: 'POST',
    path: '/wallet/getTransferList',
    auth: 'user',
    reads: true,
    input: z.object({ currency_id: currencyId.optional() }),
    output: z.object({
      accounts: z.array(z.object({ id: z.int().positive(), kind: accountKind })).meta({ key: 'kind' }),
      list: z
        .array(
          z.object({
            ...coin,
            legal: amountIn('currency_code'),
            change: amountIn('currency_code'),
            lever: amountIn('currency_code'),
            micro: amountIn('currency_code'),
          }),
        )
        .meta({ key: 'currency_id' }),
    }),
    problems: [],
    summary: 'Balances that can be transferred, by account',
  },
  'wallet.transfer': {
    method: 'POST',
    path: '/wallet/transfer',
    auth: 'user',
    keyed: 'money',
    input: z.object({ amount: amountText, currency_id: currencyId, from: accountText, to: accountText.meta({ receiver: true }) }),
    output: transferred,
    problems: [...moneyProblems, 'currency_unknown', 'accounts_same'],
    summary: 'Transfers an amount between two accounts of the customer, without a fee',
  },
  'user.Transfer': {
    method: 'POST',
    path: '/user/Transfer',
    auth: 'user',
    keyed: 'money',
    input: z.object({ number: amountText, currency_id: currencyId, from: accountText, to: accountText.meta({ receiver: true }) }),
    output: transferred,
    problems: [...moneyProblems, 'currency_unknown', 'accounts_same'],
    summary: 'Same as wallet.transfer, by its other name',
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
      from_currency_id: z.int().positive(),
      to_currency_id: z.int().positive(),
      from_code: coinCode,
      to_code: coinCode,
      rate: exchangeRate.describe('market rate: units of the second currency for one of the first'),
      spread: share.describe('share that the platform keeps'),
      tolerance: share.describe('the exchange is refused when the market rate has moved by more, up or down'),
      net_rate: exchangeRate.describe('paid rate: rate × (1 − spread), at 18 decimals at most'),
      available: amountIn('from_code').describe('available balance of the first currency, in change'),
      min: amountIn('from_code').describe('minimum amount of the first currency'),
      from_scale: z.int(),
      to_scale: z.int(),
      expires: timeMs,
    }),
    problems: ['currency_unknown', 'currency_closed', 'currencies_same', 'price_stale'],
    summary: 'A quoted rate, valid for ten seconds',
  },
  'wallet.exchange': {
    method: 'POST',
    path: '/wallet/exchange',
    auth: 'user',
    keyed: 'money',
    input: z.object({ amount: amountText, from_currency_id: currencyId, to_currency_id: currencyId, quote_id: z.string().min(1).max(60) }),
    output: z.object({
      id: z.int().positive(),
      paid: amountIn('from_code'),
      received: amountIn('to_code'),
      rate: exchangeRate,
      from_code: coinCode,
      to_code: coinCode,
      time: timeMs,
    }),
    problems: [...moneyProblems, 'currency_unknown', 'currencies_same', 'quote_expired', 'quote_unknown', 'price_changed', 'price_stale'],
    summary:
      'Exchanges one currency for another at a quoted rate; refused when the quote has expired or the rate has moved beyond the tolerance',
  },
})
