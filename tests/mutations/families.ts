import { lengthened } from '#language/text/shorthand.ts'
import type { Mistake } from '#tests/mutations/mistakes.ts'

/**
 * Changes after which each document is right by itself, and the product does the wrong thing: it reads too early, says two different things,
 * keeps parts that nothing reaches, or takes one number for another.
 */

const bill = 'schemas/screens/setting/bill.json'
const period = 'schemas/fragments/period-filter.json'
const records = 'schemas/fragments/records.json'
const mine = 'schemas/screens/invest/mine.json'
const invest = 'schemas/screens/invest/invest.json'
const purchase = 'schemas/screens/invest/purchase.json'
const exchange = 'schemas/screens/fund/exchange.json'
const withdraw = 'schemas/screens/fund/withdraw.json'
const wallet = 'schemas/screens/setting/wallet.json'
const security = 'schemas/screens/setting/security.json'
const spot = 'schemas/screens/transaction/currency.json'
const seconds = 'schemas/screens/transaction/seconds_order.json'
const contract = 'schemas/screens/transaction/contract.json'
const orders = 'schemas/screens/transaction/contract_order.json'
const trade = 'schemas/screens/transaction/index.json'
const position = 'schemas/screens/transaction/position.json'
const trader = 'schemas/screens/follow/trader.json'
const copies = 'schemas/screens/copytrade/my.json'
const exchangeForm = 'schemas/forms/fund/exchange.json'
const withdrawForm = 'schemas/forms/fund/withdraw.json'
const purchaseForm = 'schemas/forms/invest/purchase.json'
const payPasswordForm = 'schemas/forms/setting/payPassword.json'
const passwordForm = 'schemas/forms/setting/password.json'
const walletAddress = 'schemas/validations/wallet-address.json'
const payPassword = 'schemas/validations/pay-password.json'
const homeEntries = 'schemas/quick-entries/home.json'

const row = (name: string, file: string, at: string, value: unknown, where?: string): Mistake => ({
  name,
  file,
  at,
  value: value === undefined ? undefined : lengthened(value),
  ...(where !== undefined && { where }),
})
const none = { toast: '@bill.export_none', tone: 'warn' }
const file = { call: 'mic.exportList', args: { status: 'history' }, as: 'file' }

/** Answers that are not there yet, times that have passed, steps in the wrong order. */
const time: readonly Mistake[] = [
  row(
    'a state that an answer fills when the screen opens',
    period,
    '/enter/0/set/state.currency',
    '= data.coins.list.0.currency_id',
    '/enter/0',
  ),
  row(
    'a condition on an answer when the screen opens',
    mine,
    '/enter',
    [{ if: 'data.orders.total > 0', then: [{ toast: '@invest.mine' }] }],
    '/enter/0',
  ),
  row(
    'a toast of an answer when the screen opens',
    trader,
    '/enter',
    [{ toast: { $t: 'follow.since', date: "= format('date', data.trader.since)" } }],
    '/enter/0',
  ),
  row(
    'a field that an answer fills when the screen opens',
    exchange,
    '/enter',
    [{ set: { 'form.amount': '= data.symbols.list.0.available' } }],
    '/enter/0',
  ),
  row(
    'another answer when a source has its own',
    seconds,
    '/data/seconds/on',
    { loaded: [{ toast: { $t: 'option.title', name: '= data.listing.name' } }] },
    '/data/seconds/on/loaded/0',
  ),
  row(
    'a condition on another answer when a source has its own',
    contract,
    '/data/deal/on',
    { loaded: [{ if: 'data.listing.tick > 0', then: [{ refresh: ['positions'] }] }] },
    '/data/deal/on/loaded/0',
  ),
  row('a refresh after a call that refreshes by itself', 'schemas/screens/copytrade/my.json', '#cancel/on/press/3', { refresh: ['mine'] }),
  row('a source that waits for its own rate', exchange, '/data/quote/when', 'data.quote.net_rate > 0', '/data/quote'),
  row('a source that waits for its own id', seconds, '/data/detail/args/id', '= data.detail.id', '/data/detail'),
  row('a source that waits for its own state', mine, '/data/order/when', "data.order.status = 'success'", '/data/order'),
  row('a source that waits for a parameter that may be missing', purchase, '/params/id', { type: 'integer' }, '/data/product/args/id'),
  row('a source that waits for its own row', mine, '/data/order/args/id', '= data.order.id', '/data/order'),
  row(
    'a period that is read just after it is set',
    period,
    '#period/on/change',
    [{ set: { 'state.period': '= value' } }, { set: { 'state.from': "= if(state.period = 'week', now() - 604800000, null)" } }],
    '#period/on/change/1',
  ),
  row(
    'a channel that is read just after it is set',
    withdraw,
    '#channels/on/change',
    [{ set: { 'state.channel': '= value' } }, { if: "state.channel = 'bank'", then: [{ refresh: ['account'] }] }],
    '#channels/on/change/1',
  ),
  row(
    'an account that is read just after it is set',
    period,
    '/enter',
    [{ set: { 'state.kind': '= params.kind ?? null' } }, { if: "state.kind = 'exchange'", then: [{ set: { 'state.account': 'change' } }] }],
    '/enter/1',
  ),
  row(
    'a search that is kept just after it is set',
    trade,
    '/actions/picked',
    [
      { set: { 'state.pickText': '= value' } },
      { close: true },
      { if: 'not empty(state.pickText)', then: [{ go: 'pages/transaction/index', params: { symbol: '= value' }, replace: true }] },
    ],
    '/actions/picked/2',
  ),
  row(
    'a success that is told before the code is sent',
    withdrawForm,
    '/fields/3/on/send',
    [
      { toast: '@account.code', tone: 'success' },
      { call: 'auth.smsMail', args: { scene: 'withdraw' }, as: 'sent' },
      { set: { 'state.sent': '= result.sent' } },
    ],
    '/fields/3/on/send/0',
  ),
  row(
    'a success that is told before an order is moved',
    contract,
    '/actions/moved/0/else',
    [
      { confirm: 'contract-line', with: { kind: 'stop', name: 'a', late: false, from: '1', to: '2' } },
      { toast: '@contract.exits_set', tone: 'success' },
      { call: 'lever.setStopPrice', args: { id: '= value.id', stop_loss_price: '= value.price' } },
    ],
    '/actions/moved/0/else/1',
  ),
  row('an export after the session has ended', seconds, '/actions/export', [{ logout: true }, file], '/actions/export/1'),
  row('a question for the account after the session has ended', security, '/enter', [{ logout: true }, { call: 'user.info' }], '/enter/1'),
  row('a countdown to a year that has passed', withdraw, '/body/3/slots/action/0/props/to', 1_577_836_800_000),
  row('a countdown to a minute ago', wallet, '#wait/props/to', '= now() - 60000'),
  row('a countdown that loads again without end', security, '#hold-left/show', 'has(data.info.withdraw_hold_until)', '#hold-left/on/done'),
  row('another countdown that loads again without end', withdraw, '#wait/show', 'values.is_chain', '#wait/on/done'),
  row('a rule about a day that has passed', withdrawForm, '/fields/0/rules/0/test', "not before(now(), '2020-02-01')"),
  row('a part that shows since a day that has passed', purchase, '#soon/show', "before('2024-05-01T00:00:00Z', now())"),
]

/** Parts that nothing reaches any more. */
const reach: readonly Mistake[] = [
  row('a period without its option', period, '#period/props/options/4', undefined, ''),
  row('a tab that was renamed in the choice only', withdraw, '#channels/props/options/0/id', 'wallet', ''),
  row('a search that nothing begins', seconds, '/actions/pick', [{ open: 'pick-sheet' }], '/data/quotation/when'),
  row('a search that is turned off where it begins', trade, '/actions/pick/0/set/state.picking', false, '/data/quotation/when'),
  row('a share card that nothing asks for', position, '/toolbar/0/on/press', [{ open: 'share-sheet' }], '/data/invite/when'),
  row('a panel for a word that no tab has', contract, '#none/show', "state.panel = 'closed'"),
  row('a filter that nothing opens', bill, '#filter/on/press', [{ toast: '@bill.empty_title' }], '#filter-sheet'),
  row('a sheet of markets that nothing opens', orders, '#market/on/press', [{ toast: '@spot.filter_all' }], '#market-sheet'),
  row('a detail that nothing opens', mine, '/body/0/slots/row/0/on/press', [{ set: { 'state.id': '= item.id' } }], '#detail'),
  row('an export that no button starts', records, '/toolbar/0/default/0/on/press', [{ refresh: ['rows'] }], ''),
  row('an export of orders that no button starts', orders, '/toolbar/0/on/press', [{ toast: '@bill.empty_title' }], '/actions/export'),
  row('an action that was forgotten', contract, '/actions/close', [{ refresh: ['positions'] }]),
  row('an answer that nobody reads', bill, '/data/site', { call: 'common.getSiteConfig' }),
  row('an answer that nobody reads any more', exchange, '/data/coins', { call: 'currency.list', keepMs: 300_000 }),
  row('a list of orders that nobody shows', purchase, '/data/mine', { call: 'dual.dualList', args: { size: 1 } }),
  row('a state that nobody reads', purchase, '/state', { tab: 'terms' }, '/state/tab'),
  row('a switch that nobody reads', contract, '/state/wide', false),
  row('a text that nobody reads', mine, '/state/note', ''),
  row('a branch that the outer one rules out', mine, '/actions/export/1/else/1/if', 'result.file.rows < 1'),
  row(
    'a branch that the outer one has decided',
    seconds,
    '/actions/export/1/then',
    [{ if: 'result.file.rows < 1', then: [none], else: [{ toast: '@option.export_none' }] }],
    '/actions/export/1/then/0/if',
  ),
  row('an inner question that repeats the outer one', contract, '/actions/moved/0/else/1/if', "value.kind = 'order'"),
  row('a filtered export that is never cut', period, '/actions/export/1/else/1/if', 'result.file.rows < 1'),
]

/** Two places that say different things. */
const contradictions: readonly Mistake[] = [
  row('a turned rate with another bound than the form', exchange, '/values/is_turned', 'data.quote.net_rate < 2'),
  row(
    'a fee with another rate than the form',
    withdraw,
    '/values/fee',
    'wallet.withdrawFee(form.amount, data.info.fee, data.info.fee, data.info.scale)',
  ),
  row(
    'a contract fee with the rate of another',
    contract,
    '/values/fee',
    'contract.fee(values.worth, data.deal.terms.maintenance_rate, data.deal.scale)',
  ),
  row(
    'a margin with the decimals of a price',
    contract,
    '/values/margin',
    'contract.margin(values.worth, form.multiple, data.deal.price_scale)',
  ),
  row('a worth with another size', contract, '/values/worth', 'contract.notional(form.lots, data.deal.terms.lots_min, values.price)'),
  row('a budget for the other side', spot, '/values/is_budget', "form.kind = 'market' and form.side = 'sell'"),
  row('a price of the other kind', spot, '/values/price', "if(form.kind = 'market', form.price, data.detail.last)"),
  row('a cost with another price', purchase, '/values/cost', 'dual.cost(data.product.linked, values.num)'),
  row(
    'a fee that the form has',
    withdraw,
    '/values/charge',
    'wallet.withdrawFee(form.amount, data.info.fee, data.info.fee_rate, data.info.scale)',
  ),
  row(
    'a sum that the form has, in a row below it',
    withdraw,
    '#form/slots/foot/0/props/rows/0/value',
    "= cat(format('amount', form.amount), ' ', data.info.currency_code)",
  ),
  row('options that listen to spot orders', seconds, '/data/running/live', 'spot_orders'),
  row('contract orders that listen to options', contract, '/data/orders/live', 'options'),
  row('an investment that listens to orders with merchants', mine, '/data/order/live', 'otc_orders'),
  row('addresses that listen to contract orders', wallet, '/data/addresses/live', 'orders'),
  row('a loss that is green', trader, '/body/2/slots/body/0/props/items/0/tone', "= if(data.trader.profit < 0, 'up', 'default')"),
  row('a gain that is red', copies, '#results/props/items/0/tone', "= if(data.mine.result > 0, 'down', 'default')"),
  row('a length that the message does not say', payPassword, '/message', { $t: 'validation.verification_code', length: 8 }),
  row('a shorter address than the message says', walletAddress, '/message', { $t: 'validation.verification_code', length: '60' }),
  row(
    'a message with another bound',
    purchaseForm,
    '/fields/0/rules/1',
    { test: 'value <= 100', message: { $t: 'invest.at_most', count: 50 } },
    '/fields/0/rules/1/message',
  ),
  row('an empty state that cannot be pressed', records, '#none-here/enable', 'not values.filtered'),
  row('a countdown that is never active', withdraw, '#wait/enable', 'not values.is_chain'),
  row('a transfer that is never active', purchase, '#transfer/enable', 'not (data.product.affords < values.num)'),
  row('an entry for visitors to a page of customers', homeEntries, '/entries/0/show', 'not session.logged_in'),
  row('an entry for visitors to the bill', homeEntries, '#bills/show', 'not session.logged_in'),
  row('a price that is moved to another one than was asked', contract, '/actions/moved/0/then/1/args/price', '= values.mark'),
  row('more shares than the prompt says', purchaseForm, '/submit/steps/1/args/num', '= data.product.most'),
  row('another kind than the prompt says', purchaseForm, '/submit/steps/1/args/type', '= data.product.base'),
  row('another number in Japanese', 'locales/ja/validation.json', '/nickname', '2～20文字の文字または数字（記号は不可）'),
  row('another number in French', 'locales/fr/validation.json', '/signature', '2 à 40 lettres ou chiffres, sans caractères spéciaux'),
  row('another number in Thai', 'locales/th/validation.json', '/mobile_cn', 'ป้อนหมายเลขโทรศัพท์มือถือ 12 หลัก'),
]

/** Numbers of the right type and the wrong meaning. */
const numbers: readonly Mistake[] = [
  row('a yearly rate times a hundred as percent', purchase, '#deal/props/rates/0/value', "= format('percent', data.product.yearly * 100)"),
  row('a spread times a hundred as percent', exchange, '#facts/props/rows/1/value', "= format('percent', data.quote.spread * 100)"),
  row('a progress times a hundred in a bar', purchase, '#sold/props/ratio', '= data.product.progress * 100'),
  row('milliseconds times a thousand', bill, '#entry/props/note/time', "= format('dateTime', item.time * 1000)"),
  row('a day of maturity times a thousand', purchase, '#deal/props/rows/1/value', "= format('dateTime', data.product.matures * 1000)"),
  row('the place in the list as the product', invest, '#product/on/press/0/params/id', '= index', ''),
  row('the place in the list as the trader', copies, '#trader/on/press/0/params/id', '= index', ''),
  row('an amount as the trader', copies, '#trader/on/press/0/params/id', '= item.result'),
  row('a coin as the fee', withdrawForm, '/submit/steps/1/args/fee', '= params.currency_id', ''),
  row('a coin as the amount', exchangeForm, '/submit/steps/1/args/amount', '= params.currency_id', ''),
  row('a spread in percent as a condition', exchange, '#note/show', 'data.quote.spread > 50'),
  row('a progress in percent as a condition', purchase, '#sold/show', 'data.product.progress < 99'),
  row('half an hour in seconds', period, '#period/on/change/0/set/state.from', "= if(value = 'week', now() - 600, null)"),
  row('a minute in seconds', withdrawForm, '/fields/0/rules/0/test', 'values.address.usable_from - now() < 60'),
  row(
    'what one holds in the decimals of the other coin',
    mine,
    '/values/base',
    "cat(format('amount', round(data.order.base_amount, data.order.quote_scale)), ' ', data.order.base)",
    '',
  ),
  row('a source kept for half a minute in seconds', bill, '/data/coins/keepMs', 30),
  row('an answer kept for two minutes in seconds', exchange, '/data/symbols/keepMs', 120),
  row('an answer kept longer than it is asked for', seconds, '/data/seconds/keepMs', 60_000),
  row('a deal kept longer than it is asked for', contract, '/data/deal/keepMs', 60_000),
  row('a second factor whose draft is kept', withdrawForm, '/fields/4/draft', undefined, '/fields/4'),
  row('a payment password as a text', withdrawForm, '/fields/2/type', 'string', '/fields/2'),
  row('a payment password of the form for it as a text', payPasswordForm, '/fields/0/type', 'string', '/fields/0'),
  row('an old password as a text', passwordForm, '/fields/0/type', 'string', '/fields/0'),
  row('no waiting orders at all', contract, '/values/waiting', "first(where(data.orders.list, 'symbol', params.symbol), 0)", ''),
  row('no recent symbol at all', trade, '/enter/0/set/device.recent', '= prepend(device.recent, params.symbol, 0)'),
]

export const families: readonly Mistake[] = [...time, ...reach, ...contradictions, ...numbers]

/** Names of the checks that find them, except those whose mistakes need another set: a route that asks for a level. */
export const familyChecks = [
  'early',
  'source-waits',
  'stale-reads',
  'step-order',
  'past-times',
  'needless-refresh',
  'unreached',
  'dead-states',
  'empty-options',
  'decided',
  'two-values',
  'repeated-values',
  'topics',
  'tones',
  'bounds-said',
  'never-active',
  'other-than-asked',
  'numbers-of-languages',
  'ids',
  'shares',
  'durations',
  'scales',
  'drafts',
  'empty-lists',
] as const
