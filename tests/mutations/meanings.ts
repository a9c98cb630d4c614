import type { Mistake } from '#tests/mutations/mistakes.ts'

/**
 * Changes after which every name and type of a document is still right, and the document contradicts itself or another one. Beside each what
 * a reader of the documents would say.
 */

const login = 'schemas/screens/common/login.json'
const register = 'schemas/screens/common/register.json'
const withdraw = 'schemas/screens/fund/withdraw.json'
const exchange = 'schemas/screens/fund/exchange.json'
const sessions = 'schemas/screens/setting/sessions.json'
const security = 'schemas/screens/setting/security.json'
const bill = 'schemas/screens/setting/bill.json'
const contract = 'schemas/screens/transaction/contract.json'
const home = 'schemas/screens/home/home.json'
const article = 'schemas/screens/common/article.json'
const purchase = 'schemas/screens/invest/purchase.json'
const withdrawForm = 'schemas/forms/fund/withdraw.json'
const exchangeForm = 'schemas/forms/fund/exchange.json'
const transferForm = 'schemas/forms/fund/transfer.json'
const mobileForm = 'schemas/forms/setting/bind_mobile.json'
const registerForm = 'schemas/forms/common/register.json'
const followForm = 'schemas/forms/follow/follow.json'
const billForm = 'schemas/forms/setting/bill.json'
const bidAbove = 'schemas/validations/bid-above.json'
const withdrawPrompt = 'schemas/prompts/withdraw.json'
const routes = 'schemas/routes.json'
const theme = 'schemas/theme.json'
const notice = 'schemas/fragments/notice.json'
const english = 'locales/en/home.json'

const row = (name: string, file: string, at: string, value: unknown, where?: string, near?: string): Mistake => ({
  name,
  file,
  at,
  value,
  ...(where !== undefined && { where }),
  ...(near !== undefined && { near }),
})
const exchangeCall = {
  call: 'wallet.exchange',
  args: {
    amount: { $: 'form.amount' },
    from_currency_id: { $: 'form.from' },
    to_currency_id: { $: 'form.to' },
    quote_id: { $: 'data.quote.quote_id' },
  },
  as: 'done',
}
const prompt = { confirm: 'exchange', with: { pay: { $: 'form.amount' }, from: 'a', get: '1', to: 'b', rate: '1', spread: '0' } }
const text = (id: string, show: string) => ({ id, widget: 'text', props: { text: { $t: 'account.sessions_note' } }, show })
const option = { id: 'email', label: { $t: 'account.email' } }

export const meanings: readonly Mistake[] = [
  // Money
  row(
    'a withdrawal that nobody is asked about',
    withdrawForm,
    '/submit/steps/0',
    { toast: { $t: 'funding.withdraw_done' } },
    '/submit/steps',
  ),
  row('a withdrawal that is asked about on one way only', withdrawForm, '/submit/steps/0/else', [], '/submit/steps'),
  row('an exchange that nobody is asked about', exchangeForm, '/submit/steps/0', { refresh: ['quote'] }, '/submit/steps'),
  row('a prompt behind the call', exchangeForm, '/submit/steps', [exchangeCall, prompt], '/submit/steps'),
  row('an exchange that is sent twice', exchangeForm, '/submit/steps', [prompt, exchangeCall, exchangeCall], '/submit/steps'),
  row('a prompt that is not given the amount', exchangeForm, '/submit/steps/0/with/pay', '1', '/submit/steps'),
  row('another amount than the one that was shown', exchangeForm, '/submit/steps/1/args/amount', { $: 'form.from' }),
  row(
    'a transfer that nobody is asked about',
    transferForm,
    '/submit/steps/0',
    { toast: { $t: 'funding.withdraw_done' } },
    '/submit/steps',
  ),
  row('a copy that nobody is asked about', followForm, '/submit/steps/0', { refresh: ['trader'] }, '/submit/steps'),
  row('positions that are closed without a question', contract, '/actions/all/0', { refresh: ['positions'] }, '/actions/all'),
  row('a refusal that nobody is told of', withdrawForm, '/errors/amount_wrong', {}),
  row('every refusal that nobody is told of', withdrawForm, '/errors/*', {}),
  row('an answer that is read before its call', exchangeForm, '/submit/steps/0/with/get', { $: 'result.done.received' }, '/submit/steps/0'),
  row(
    'an answer that is set before its call',
    mobileForm,
    '/submit/steps/0',
    { set: { 'state.sent': { $: 'result.done' } } },
    '/submit/steps',
  ),
  row('a password in the state', mobileForm, '/submit/steps/1', { set: { 'state.sent': { $: 'form.password' } } }),
  row('a password in the address', mobileForm, '/submit/steps/3', { go: 'pages/common/webView', params: { url: { $: 'form.password' } } }),
  row('a password in a toast', mobileForm, '/submit/steps/2', { toast: { $t: 'account.mobile_done', x: { $: 'form.password' } } }),
  row('a password that is copied', mobileForm, '/submit/steps/2', { copy: { $: 'form.password' } }),
  row('a code on the device', withdrawForm, '/submit/steps/2', { set: { 'device.area': { $: 'form.code' } } }),
  row(
    'a password that a prompt shows',
    withdrawForm,
    '/submit/steps/0/then/0/with/name',
    { $: 'form.pay_password' },
    '/submit/steps/0/then/0',
  ),
  row('a source that asks with a password', withdraw, '#info/args/chain', { $: 'form.pay_password' }),
  row('a step behind the one that leaves', sessions, '#all/slots/body/0/on/press', [{ back: true }, { confirm: 'logout' }]),
  row('a screen that is left twice', login, '#forgot/on/press', [{ go: 'pages/common/forgot' }, { back: true }]),
  row('a call of a customer for visitors', login, '#forgot/on/press', [
    { if: 'not session.logged_in', then: [{ call: 'user.endOtherSessions' }] },
  ]),
  // Dead ends
  row('a login that asks for a login', routes, '#pages~1common~1login/auth', true),
  row('a registration that asks for a login', routes, '#pages~1common~1register/auth', true),
  row('a level without a login', routes, '#pages~1market~1search/kyc', 1),
  row(
    'a least over the greatest',
    withdrawForm,
    '#amount',
    { name: 'amount', type: 'decimal', widget: 'decimal-field', label: { $t: 'funding.withdraw_amount' }, min: '10', max: '5' },
    '#amount',
  ),
  row('a least length over the greatest', withdrawForm, '#code/minLength', 8),
  row('a default that cannot be chosen', billForm, '#kind/default', 'deposit'),
  row('a default with a slip', billForm, '#account/default', 'chang', undefined, 'change'),
  row('a default over the greatest', mobileForm, '#mobile/default', '1234567890123456'),
  row('a step of nothing', withdrawForm, '#amount/step', '0'),
  row('nothing to choose', billForm, '#kind/options', []),
  row('a field that shows only once it is filled', mobileForm, '#totp/show', 'has(form.totp)'),
  row('a field that shows by its own entry', withdrawForm, '#totp/show', "form.totp = '1' and data.account.needs_totp"),
  row(
    'a field that is not sent',
    mobileForm,
    '/fields/-',
    { name: 'extra', type: 'string', widget: 'text-field', label: { $t: 'account.mobile' } },
    '/fields/5',
  ),
  row('an argument that is not sent any more', mobileForm, '/submit/steps/0/args/totp', undefined, ''),
  row('the check of a field that there is not', mobileForm, '/submit/enable', "valid('mobil')", undefined, 'mobile'),
  row('the change of a field that there is not', withdrawForm, '/submit/enable', "dirty('amuont')", undefined, 'amount'),
  row('a prompt that is stale at once', withdrawPrompt, '/stale_after_ms', 300),
  row('a prompt that is asked again where there is none', mobileForm, '/errors/code_wrong', { retry: 'confirm' }),
  row('a sheet that is none', login, '#forgot/on/press', [{ open: 'form' }]),
  row('a list of pages that ends with the first', article, '#related/pages', true),
  row('a list of records that ends with the first', 'schemas/fragments/records.json', '#list/on', {}, ''),
  row('a way in a circle', login, '/enter', [{ go: 'pages/common/login' }]),
  // Conditions
  row('a value compared with itself', withdrawForm, '#amount/rules/0', { test: 'value <= value', message: { $t: 'funding.only_fee' } }),
  row('a field compared with itself', exchange, '#quote/when', 'form.from != form.from'),
  row('a rule that never passes', bidAbove, '/test', 'value > params.current and not value > params.current'),
  row('a rule that always passes', bidAbove, '/test', 'params.current = params.current'),
  row('something and its opposite', sessions, '#all/show', 'data.sessions.list and not data.sessions.list'),
  row('more than five and less than two', sessions, '#all/show', 'len(data.sessions.list) > 5 and len(data.sessions.list) < 2'),
  row(
    'bounds that exclude each other, the other way round',
    sessions,
    '#all/show',
    '5 < len(data.sessions.list) and 2 >= len(data.sessions.list)',
  ),
  row('two words at once', withdraw, '#channels/show', "state.channel = 'address' and state.channel = 'bank'"),
  row(
    'a part that asks for the opposite of what is around it',
    sessions,
    '#all/slots/body/-',
    text('never', 'not len(data.sessions.list) > 1'),
    '#all/slots/body/1',
  ),
  row(
    'a part that shows on another channel',
    withdraw,
    '#form/slots/before/-',
    text('other', "state.channel = 'address' and state.channel = 'bank'"),
    '#form/slots/before',
  ),
  row('a level that there is not', security, '#hold/show', 'session.kyc >= 3'),
  row('a level that is always reached', security, '#hold/show', 'session.kyc >= 0'),
  row('a level compared with a far one', security, '#hold/show', 'session.kyc = 7'),
  row('a notice for visitors where there are none', security, '#hold/show', 'not session.logged_in'),
  row('a visitor in the middle of an and', security, '#hold-left/show', 'has(data.info.withdraw_hold_until) and not session.logged_in'),
  row('a state of visitors where there are none', sessions, '#note/show', "session.state = 'visitor'"),
  // Words
  row('a word that the state never has', withdraw, '#addresses/when', "state.channel = 'adress'", undefined, 'address'),
  row('another word in a form', registerForm, '#email/show', "state.type = 'e-mail'", undefined, 'email'),
  row('a word of a list that the state never has', withdraw, '#channels/show', "state.channel in ['bank', 'swift']"),
  row('a word that the state is never other than', withdraw, '#addresses/when', "state.channel != 'chain'"),
  row('an option that was renamed', register, '#type/props/options/1/id', 'phone', ''),
  row('a number for a state of true and false', login, '#forgot/on/press', [{ set: { 'state.second': 5 } }]),
  row('a word for a state of true and false', login, '#forgot/on/press', [{ set: { 'state.second': 'yes' } }]),
  row(
    'a computed route that there is not',
    withdraw,
    '#no-card/on/press/0/go',
    { $: "if(state.channel = 'bank', 'pages/setting/bnk', 'pages/setting/bank_international')" },
    undefined,
    'pages/setting/bank',
  ),
  row('a topic that nobody tells', withdraw, '#info/live', 'balanc', undefined, 'balance'),
  row('a topic of another product', exchange, '#symbols/live', 'orders'),
  row('a language that there is not', home, '#groups/show', "session.language = 'english'"),
  row('a theme that there is not', home, '#groups/show', "device.theme = 'drak'", undefined, 'dark'),
  row('a parameter that the next screen does not know', sessions, '#all/slots/body/0/on/press', [
    { go: 'pages/setting/bill', params: { type: 'x' } },
  ]),
  row('a computed text for a state of true and false', login, '#forgot/on/press', [{ set: { 'state.second': { $: 'session.language' } } }]),
  row('a list for a state of true and false', login, '#forgot/on/press', [{ set: { 'state.second': { $: 'app.languages' } } }]),
  row('a theme that the device does not have', login, '#forgot/on/press', [{ set: { 'device.theme': 'drak' } }], undefined, 'dark'),
  row('a text for a list of the device', login, '#forgot/on/press', [{ set: { 'device.favourites': 'BTCUSDT' } }]),
  row('true or false for a number of a call', withdraw, '#info/args/currency_id', { $: 'session.logged_in' }),
  row('a language for a number of a call', withdraw, '#info/args/currency_id', { $: 'session.language' }),
  row('a row that is looked up by a language', exchange, '#quote/when', 'has(data.symbols.list[session.language].exchange)'),
  row('a row that is looked up by a currency', exchangeForm, '/values/coin', 'data.symbols.list[session.fiat]'),
  row('rows that are told apart by what they share', sessions, '#session/repeat/key', 'device', undefined, 'id'),
  row(
    'a constant that names a route which is none',
    'schemas/app.json',
    '/constants/loginRoute',
    'pages/common/logn',
    undefined,
    'pages/common/login',
  ),
  // Looks and texts
  row('one choice twice', register, '#type/props/options/-', option, '#type/props/options'),
  row('one choice of a field twice', billForm, '#account/options/1/id', 'change'),
  row('a form twice on one screen', login, '/body/-', { id: 'again', widget: 'form', props: { form: 'common.login' } }, '/body/3'),
  row('gain that looks like loss', theme, '/dark/up', '#F04A5A'),
  row('gain that reads like loss', theme, '/light/up-text', '#B82735'),
  row('text that nobody can read', theme, '/type/xs', 8),
  row('text on a ground of its colour', theme, '/dark/text', '#0E1116'),
  row('an empty text', english, '/entry_recharge', ''),
  row('a colour that only a widget puts behind text', theme, '/dark/on-action', '#F7C08A'),
  row('a badge that nobody can read in light', theme, '/light/warn', '#C9A24B'),
  row('a step of the type that widgets use', theme, '/type/xs', undefined, ''),
  row('a step of the space that widgets use', theme, '/space/3', undefined, ''),
  row('a radius under another name', theme, '/radius', { small: 8, md: 12 }, '/radius'),
  row('a plural form that French needs', 'locales/fr/bill.json', '/export_done_many', undefined, '/export_done_other', 'export_done_many'),
  row('a plural form that Spanish needs', 'locales/es/form.json', '/wrong_count_many', undefined, '/wrong_count_other', 'wrong_count_many'),
  row('a plural form that Japanese never uses', 'locales/ja/bill.json', '/export_done_one', '{{count}} 件の記録を保存しました'),
  row('a context that no language has', withdrawPrompt, '/rows/1/label', { $t: 'funding.to', context: 'withdrawl' }, undefined, 'withdraw'),
  row('a word of a state without its text', 'locales/th/event.json', '/kind_exchange', undefined, ''),
  row(
    'a label that no button holds',
    'locales/fr/account.json',
    '/sessions_end_others',
    'Fermer toutes les autres sessions de ce compte',
    '',
  ),
  row('a tab that is too wide in one language', 'locales/ja/app.json', '/tab_market', 'すべてのマーケット情報', ''),
  row('a title that the bar cuts off', 'locales/es/setting.json', '/title', 'Configuración de la cuenta y de la seguridad', ''),
  // Markets
  row('a market of a quick entry', 'schemas/quick-entries/home.json', '/entries/8/params/symbol', 'XAUUSD', undefined, 'XAUUSDT'),
  row(
    'the market that a screen begins with',
    'schemas/screens/transaction/index.json',
    '/params/symbol/default',
    'BTCUSD',
    undefined,
    'BTCUSDT',
  ),
  row('the market that the app begins with', 'schemas/app.json', '/constants/defaultSymbol', 'BTCUSTD', undefined, 'BTCUSDT'),
  row('a price of no market', home, '#groups/show', 'feed.BTCUSD.last > 1', undefined, 'BTCUSDT'),
  row('a lookup of no market', home, '#groups/show', "len(where(data.quotation.list, 'symbol', 'ETHUSD')) > 0", undefined, 'ETHUSDT'),
  row('a flow that opens no market', 'schemas/flows/trade.json', '/steps/0/params/symbol', 'ETHUSD', undefined, 'ETHUSDT'),
  // Values that may be missing, and values that no source provides
  row('a notice for all but one kind, gone where there is no kind', bill, '#filter/show', "params.kind != 'credit'"),
  row(
    'a notice for rows that are not open, gone where there is no row',
    exchange,
    '#quote/when',
    'not data.symbols.list[form.from].exchange',
  ),
  row(
    'a parameter that no step gives',
    article,
    '/params',
    { nid: { type: 'integer', required: true }, from: { type: 'string' } },
    '/params/from',
  ),
  row('a parameter of a fragment that no screen gives', notice, '/params/icon', { type: 'string', default: 'info' }),
  row('a word for a condition of a fragment', withdraw, '/body/1/with/show', 'yes'),
  row('a list of steps for the target of a fragment', withdraw, '/body/1/with/to', ['pages/setting/real_mark']),
  row('a way of a fragment that there is not', 'schemas/screens/fund/transfer.json', '/body/1/with/way', 'coins', undefined, 'coin'),
  row(
    'a product that is bought without a word about its risk',
    purchase,
    '#deal',
    { id: 'deal', widget: 'text', props: { text: { $t: 'invest.rule' } } },
    '#form',
  ),
  row('a risk that is shown at times only', purchase, '#deal/show', { '>': [{ var: 'data.product.risk' }, 2] }, '#form'),
]
