import type { Mistake } from '#tests/mutations/mistakes.ts'

/**
 * Changes after which every name and type of a document is still right, and a number stands where its unit may not stand, or money moves
 * without being shown. Beside each what a reader of the documents would say.
 */

const withdraw = 'schemas/screens/fund/withdraw.json'
const exchange = 'schemas/screens/fund/exchange.json'
const assets = 'schemas/screens/fund/assets.json'
const coin = 'schemas/screens/fund/assets_record.json'
const history = 'schemas/screens/fund/transfer_history.json'
const level = 'schemas/screens/setting/real_mark.json'
const withdrawForm = 'schemas/forms/fund/withdraw.json'
const exchangeForm = 'schemas/forms/fund/exchange.json'
const transferForm = 'schemas/forms/fund/transfer.json'
const receiveForm = 'schemas/forms/fund/receive.json'
const mobileForm = 'schemas/forms/setting/bind_mobile.json'
const transferPrompt = 'schemas/prompts/transfer.json'

const $ = (expression: string) => ({ $: expression })
const row = (name: string, file: string, at: string, value: unknown, more: Pick<Mistake, 'where' | 'near'> = {}): Mistake => ({
  name,
  file,
  at,
  value,
  ...more,
})

export const unitMistakes: readonly Mistake[] = [
  // Formats
  row('a share as an amount', withdraw, '#facts/props/rows/0/value', $("format('amount', data.info.fee_rate)"), {
    near: "format('percent', …)",
  }),
  row('a spread as an amount', exchange, '#facts/props/rows/1/value', $("format('amount', data.quote.spread)"), {
    near: "format('percent', …)",
  }),
  row('an amount as a percentage', exchange, '#facts/props/rows/1/value', $("format('percent', data.quote.available)"), {
    near: "format('amount', …)",
  }),
  row('a rate as a fee', withdraw, '#sum/props/rows/1/value', $("format('amount', data.info.usd_rate)"), { near: "format('price', …)" }),
  row('a rate as an amount', exchange, '#facts/props/rows/0/value/amount', $("format('amount', data.quote.net_rate)"), {
    near: "format('rate', …)",
  }),
  row('an amount of a coin as fiat', coin, '#facts/props/rows/2/value', $("format('fiat', data.coin.available)")),
  row('an amount as a date', history, '#move/props/note', $("format('dateTime', item.amount)"), { near: "format('amount', …)" }),
  row('seconds as a date', history, '#move/props/note', $("format('dateTime', item.time / 1000)")),
  // Sums and comparisons
  row('a fee plus a share', withdrawForm, '#amount/rules/3/test', 'value > data.info.fee + data.info.fee_rate'),
  row('an amount under a share', withdrawForm, '#amount/rules/4/test', 'value <= data.info.fee_rate'),
  row('two coins in one sum', withdraw, '#limit/props/tone', $("if(data.info.used_btc + data.info.available >= '1', 'warn', 'accent')")),
  row('two coins compared', withdraw, '#limit/props/tone', $("if(data.info.left < data.info.left_btc, 'warn', 'accent')")),
  row('an amount plus a time', withdraw, '#wait/show', 'before(now(), values.address.usable_from + data.info.fee)'),
  row('seconds compared with milliseconds', withdraw, '/values/is_held', 'now() / 1000 < data.account.hold_until'),
  row(
    'a rate that is used the wrong way round',
    exchange,
    '#facts/props/rows/0/value/amount',
    $("format('amount', data.quote.available / data.quote.net_rate)"),
  ),
  row('the least of an amount and a share', withdraw, '#facts/props/rows/2/value', $('cat(min(data.info.max, data.info.fee_rate))')),
  // Functions
  row(
    'a fee and its share in the wrong order',
    withdraw,
    '/values/fee',
    'wallet.withdrawFee(form.amount, data.info.fee_rate, data.info.fee, data.info.scale)',
  ),
  row(
    'an exchange at the spread',
    exchangeForm,
    '/submit/steps/0/with/get',
    $('wallet.exchangeReceived(form.amount, data.quote.spread, data.quote.to_scale)'),
  ),
  row('a fee of another coin', withdrawForm, '/values/fee', 'wallet.withdrawReceived(data.info.available, data.info.used_btc)'),
  // Props, arguments, bounds
  row('an amount where a share is drawn', withdraw, '#limit/props/ratio', $('data.info.left_btc')),
  row('bitcoin where dollars are shown', assets, '#total/props/usd', $('data.info.total_btc'), { near: 'data.info.total_usd' }),
  row('a coin where dollars are shown', coin, '#place/props/usd', $('item.total'), { near: 'item.usd' }),
  row('a time where an amount is shown', history, '#move/props/amount', $('item.time'), { near: 'item.amount' }),
  row('a share as the fee of a call', withdrawForm, '/submit/steps/1/args/fee', $('data.info.fee_rate'), { near: 'data.info.fee' }),
  row('a most in another coin', withdrawForm, '#amount/props/most', $('data.info.left_btc')),
  row('a most that is a share', exchangeForm, '#amount/props/most', $('data.quote.spread')),
  row('a balance that is a share', withdrawForm, '#amount/rules/1/with/available', $('data.info.fee_rate')),
  row(
    'a list of shares that are dollars',
    assets,
    '#by-coin/props/items',
    $("rename(data.info.coins, 'id', 'currency_code', 'share', 'usd')"),
  ),
  // The coin beside an amount
  row('the coin that is paid beside what is received', exchange, '#facts/props/rows/0/value/coin', $('data.quote.from_code'), {
    near: 'data.quote.to_code',
  }),
  row('the coin that is received beside what is paid', exchangeForm, '#amount/rules/1/with/unit', $('data.quote.to_code'), {
    where: '#amount/rules/1/with',
  }),
  row(
    'dollars beside bitcoin',
    level,
    '#limits/props/rows/1/value',
    $("cat(format('amount', data.auth.levels.0.order_limit_usd), ' BTC')"),
  ),
  row(
    'dollars beside an amount of a coin',
    withdraw,
    '#facts/props/rows/0/value',
    $("cat(format('amount', data.info.available), ' USD')"),
    {
      near: 'data.info.currency_code',
    },
  ),
  row('a coin in a row of dollars', coin, '#total/props/unit', 'USD', { near: 'data.coin.currency_code' }),
  row('the other coin in a prompt', exchangeForm, '/submit/steps/0/with/to', $('data.quote.from_code'), { where: '/submit/steps/0/with' }),
  row('a rate as the spread of a prompt', exchangeForm, '/submit/steps/0/with/spread', $('data.quote.net_rate'), {
    where: '/submit/steps/0/with',
  }),
  // Money
  row('a bank withdrawal whose prompt shows no card', withdrawForm, '/submit/steps/0/else/0/with/to', $('data.info.channel'), {
    where: '/submit/steps',
  }),
  row('a bank withdrawal whose prompt shows no amount', withdrawForm, '/submit/steps/0/else/0/with/amount', $('values.fee_text'), {
    where: '/submit/steps',
  }),
  row(
    'a transfer whose prompt shows no account',
    transferForm,
    '/submit/steps/0/with/to',
    { $t: 'assets.account_legal' },
    {
      where: '/submit/steps',
    },
  ),
  row('a prompt that is given the amount and does not show it', transferPrompt, '/rows/0/value/amount', $('params.coin'), { where: '' }),
  row('a deposit whose refusal nobody is told of', receiveForm, '/errors/amount_wrong', {}),
  row('a password in a hint', mobileForm, '#mobile/hint', $('form.password')),
  row('a pay password as the name of a channel', withdrawForm, '/submit/steps/1/args/channel', $('form.pay_password'), {
    near: 'pay_password',
  }),
  row('a balance that is the entry itself', withdrawForm, '#amount/rules/1/with/available', $('form.amount'), {
    where: '#amount/rules/1/with',
  }),
  row('an entry compared with itself by its name', withdrawForm, '#amount/rules/3/test', 'value <= form.amount'),
]
