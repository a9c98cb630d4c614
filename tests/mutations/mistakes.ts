/**
 * Mistakes that people make in the documents of the product: a value put at a place, or taken away (undefined). `#forgot/props/label` is a
 * member of the node, field, entry, source or route of that id. `near`: the right name that must be suggested. `where`: where the problem
 * must stand, if not at the place.
 */
export interface Mistake {
  name: string
  file: string
  at: string
  value: unknown
  near?: string
  where?: string
}

const orders = 'schemas/screens/transaction/currency_order.json'
const login = 'schemas/screens/common/login.json'
const home = 'schemas/screens/home/home.json'
const market = 'schemas/screens/market/market.json'
const exchange = 'schemas/screens/fund/exchange.json'
const assets = 'schemas/screens/fund/assets.json'
const article = 'schemas/screens/common/article.json'
const faq = 'schemas/screens/common/faq.json'
const trade = 'schemas/screens/transaction/index.json'
const sessions = 'schemas/screens/setting/sessions.json'
const security = 'schemas/screens/setting/security.json'
const settings = 'schemas/screens/setting/setting.json'
const share = 'schemas/screens/setting/share.json'
const loginForm = 'schemas/forms/common/login.json'
const registerForm = 'schemas/forms/common/register.json'
const emailForm = 'schemas/forms/setting/bind_email.json'
const mobileForm = 'schemas/forms/setting/bind_mobile.json'
const areas = 'schemas/fragments/areas.json'
const content = 'schemas/fragments/content.json'
const entries = 'schemas/quick-entries/home.json'
const tabs = 'schemas/quick-entries/tabs.json'
const routes = 'schemas/routes.json'
const theme = 'schemas/theme.json'
const app = 'schemas/app.json'
const logout = 'schemas/prompts/logout.json'
const bidAbove = 'schemas/validations/bid-above.json'
const english = 'locales/en/home.json'
const japanese = 'locales/ja/account.json'

const v = (path: string) => ({ var: path })
const row = (name: string, file: string, at: string, value: unknown, near?: string, where?: string): Mistake => ({
  name,
  file,
  at,
  value,
  ...(near !== undefined && { near }),
  ...(where !== undefined && { where }),
})
const levels = (depth: number): unknown => (depth === 0 ? 1 : [levels(depth - 1)])
const nots = (depth: number): unknown => (depth === 0 ? v('session.kyc') : { '!': nots(depth - 1) })

export const mistakes: readonly Mistake[] = [
  // Names of members and words
  row('a misspelt member of a node', login, '#forgot/wiget', 'button', 'widget'),
  row('a misspelt member of a screen', login, '/stat', {}, 'state'),
  row('a misspelt member of a source', article, '#related/arg', {}, undefined, '#related/arg'),
  row('a misspelt member of a route', routes, '#pages~1setting~1share/auht', true, 'auth'),
  row('a misspelt member of an entry', entries, '#gold/icn', 'coins', 'icon'),
  row('a misspelt member of a field', emailForm, '#email/lable', 'x', 'label'),
  row('a misspelt step', settings, '#faq/on/press/0', { og: 'pages/common/faq' }, 'go'),
  row('a misspelt kind', logout, '/kind', 'promt', 'prompt'),
  row('no kind', logout, '/kind', undefined),
  row('an id that is none', login, '/id', 'common login'),
  row('a format of another time', login, '/format', 3),
  row('an id of a node that is missing', login, '#forgot/id', undefined),
  row('a body that is empty', login, '/body', []),
  row('a node that is a text', login, '/body/0', 'page'),
  row('a type of a field', loginForm, '#totp/type', 'strng', 'string'),
  row('a tone of a toast', loginForm, '/submit/steps/3/tone', 'sucess', 'success'),
  row('a boolean in quotes', loginForm, '#username/required', 'true', undefined, '#username/required'),
  row('an auth that is a word', routes, '#pages~1setting~1share/auth', 'yes'),
  row('a level that there is not', routes, '#pages~1setting~1share/kyc', 3),
  row('no submit', emailForm, '/submit', undefined),
  row('a negative time', home, '#site/keepMs', -1),
  row('an old answer that is kept on a screen of money', exchange, '#quote/keep', true),
  row('an old answer that is kept of the balance', assets, '#asset/keep', true),
  row('a source that waits for an hour', exchange, '#quote/debounceMs', 3_600_000),
  row('a source that asks each millisecond', sessions, '#sessions/everyMs', 1),
  // Widgets
  row('a widget', login, '#forgot/widget', 'buton', 'button'),
  row('a widget of an entry form', loginForm, '#totp/widget', 'text-feild', 'text-field'),
  row('a major version', home, '#hot-cards/widget', 'quote-list@9', undefined, '#hot-cards/widget'),
  row('a prop', login, '#forgot/props/lable', { $t: 'account.login_forgot' }, undefined, '#forgot/props'),
  row('a prop beside the right one', market, '#list/props/sortabel', true, undefined, '#list/props'),
  row('a prop that is missing', article, '#related-row/props/title', undefined, undefined, '#related-row/props'),
  row('a word that is not offered', login, '#welcome/props/size', 'xlarge', undefined, '#welcome/props/size'),
  row('a word with a slip', login, '#hint/props/tone', 'quite', 'quiet'),
  row('a number as text', home, '#banners/props/autoplayMs', '6000'),
  row('a number out of range', home, '#banners/props/autoplayMs', 10),
  row('a boolean as text', login, '#forgot/props/block', 'true'),
  row('a ratio that is none', home, '#banner-image/props/ratio', '3x1'),
  row('a list where a text belongs', login, '#welcome/props/text', [{ $t: 'account.login_welcome' }]),
  row('a path of the wrong type', market, '#list/props/star', { $: 'state.group' }),
  row('an event', login, '#register/on/pres', [{ back: true }], 'press'),
  row('an event of another widget', home, '#groups/on/press', [{ back: true }]),
  row('an action by name', home, '#hot-cards/on/select', 'toQoute', 'toQuote'),
  row('a slot', trade, '#panels/slots/mian', [], 'main'),
  row(
    'a widget where it may not stand',
    sessions,
    '#list/slots/row/1',
    { id: 'second', widget: 'text', props: { text: { $t: 'account.sessions_note' } } },
    undefined,
    '#list/slots/row',
  ),
  row('a control without a name', market, '#to-search/props/label', undefined, undefined, '#to-search/props'),
  row('a control with an empty name', settings, '#theme/props/label', '', undefined, '#theme/props'),
  row('an icon', settings, '#language/props/icon', 'langauges', 'languages'),
  row('an icon of an entry', entries, '#gold/icon', 'coin', 'coins'),
  row('a list of entries', home, '#entries/props/list', 'hom', 'home'),
  row('a form', login, '#form/props/form', 'common.logn', 'common.login'),
  // Ids
  row('an id twice', login, '#register/id', 'forgot'),
  row('a field twice', registerForm, '#re_password/name', 'password'),
  row('an entry twice', entries, '#faq/id', 'risk'),
  row('an id of a fragment again', faq, '#no-question/id', 'question'),
  row('a document twice', 'schemas/prompts/logout.json', '/id', 'clear-data'),
  // Paths and logic
  row('a member of an answer', sessions, '#session/props/device', { $: 'item.devise' }, 'item.device'),
  row('a source in a path', market, '#simulated/props/source', { $: 'data.sit.source' }, 'data.site.source'),
  row('a root', market, '#list/props/favourites', { $: 'devic.favourites' }, 'device.favourites'),
  row('a state', home, '#groups/props/value', { $: 'state.grup' }, 'state.group'),
  row('a parameter of the screen', article, '#article/args/nid', { $: 'params.id' }),
  row('a member of the session', settings, '#login/show', { '!': v('session.loged_in') }, 'session.logged_in'),
  row('a constant', settings, '#version/props/value', { $: 'app.appVersoin' }, 'app.appVersion'),
  row('a field of the form', emailForm, '#code/props/target', { $: 'form.emial' }, 'form.email'),
  row('a row outside of a repeat', home, '#hot/props/title', { $: 'item.title' }),
  row('a member of the wrong list', sessions, '#session/repeat/each', { $: 'data.sessions.lst' }),
  row('a key that rows have not', sessions, '#session/repeat/key', 'uid'),
  row('a repeat over what is no list', sessions, '#session/repeat/each', { $: 'data.sessions' }),
  row('an operator', market, '#recent/show', { an: [v('device.recent'), 1] }, 'and'),
  row('an operator with two signs', market, '#favourites/show', { '==': [v('state.group'), 'favourites'] }, '==='),
  row('an operator without its second value', market, '#favourites/show', { '===': [v('state.group')] }),
  row('a path with two dots', market, '#favourites/show', { '===': [v('state..group'), 'favourites'] }),
  row('an order of words', market, '#list/show', { '>': [v('state.group'), 'all'] }),
  row('a comparison that never holds', settings, '#logout/show', { '===': [v('session.kyc'), 'one'] }),
  row(
    'a word that cannot occur',
    settings,
    '#theme/props/value',
    { $: { if: [{ '===': [v('device.theme'), 'drak'] }, 'dark', 'light'] } },
    'dark',
  ),
  row('a list as a number', sessions, '#all/show', { '>': [v('data.sessions.list'), 1] }),
  row('a condition that is always true', settings, '#out/show', { '===': [1, 1] }),
  row('a condition that is always false', login, '#more/show', false),
  row('a node that is never reached: two contradicting parts', market, '#favourites/show', {
    and: [{ '===': [v('state.group'), 'all'] }, { '===': [v('state.group'), 'favourites'] }],
  }),
  row('a pattern', loginForm, '#area_code/show', { match: [v('form.username'), 'digit'] }, 'digits'),
  row('a format of a value', settings, '#version/props/value', { $: { format: ['dat', v('app.appVersion')] } }, 'date'),
  row('too deep logic', market, '#recent/show', nots(40)),
  row('a very long path', market, '#recent/show', v(`data.${'x'.repeat(300)}`)),
  row('two operators in one object', market, '#recent/show', { '!': v('state.group'), and: [1] }),
  // Calls and sources
  row('a call', home, '#site/call', 'common.getSiteConfg', 'common.getSiteConfig'),
  row('a call of a step', 'schemas/forms/setting/session_end.json', '/submit/steps/0/call', 'user.endSesion', 'user.endSession'),
  row('an argument', article, '#article/args', { nid: { $: 'params.nid' }, nidd: 1 }, undefined, '#article/args'),
  row('an argument that is missing', home, '#news/args', {}, undefined, '#news'),
  row('an argument of the wrong type', article, '#article/args/nid', true),
  row('pages of what has none', home, '#site/pages', true),
  row('a source to load again', 'schemas/forms/setting/session_end.json', '/submit/steps/1/refresh/0', 'session', 'sessions'),
  row('a source with pages', home, '#news-list/on/end', [{ more: 'nws' }], 'news'),
  row('a result of a step', loginForm, '/submit/steps/2/login', { $: 'result.login.tokn' }, 'result.login.token'),
  row('a result that no step gives', loginForm, '/submit/steps/2/login', { $: 'result.logn.token' }, 'result.login.token'),
  row('a call that needs a login on an open route', faq, '/data/mine', { call: 'user.info' }),
  row('a call of a press on an open route', faq, '#to-contact/on/press', [{ call: 'user.endSession', args: { id: 1 } }]),
  row('a route that no longer asks for a login', routes, '#pages~1setting~1sessions/auth', undefined, undefined, ''),
  row('a code that nobody maps', loginForm, '/errors/*', undefined, undefined, '/submit/steps/0'),
  row('a code that the call has not', loginForm, '/errors/login_faild', { toast: true }, 'login_failed'),
  row('a code on a field that there is not', loginForm, '/errors/login_failed/field', 'pasword', 'password'),
  // Where steps lead
  row('a route of a step', login, '#forgot/on/press/0/go', 'pages/common/forgt', 'pages/common/forgot'),
  row('a route of an entry', entries, '#faq/to', 'pages/common/fqa', 'pages/common/faq'),
  row('a parameter of a route', entries, '#start/params', { nidd: 1 }, 'nid'),
  row('a parameter of the wrong type', entries, '#start/params/nid', 'first'),
  row('a parameter that is missing', entries, '#start/params', {}),
  row('a prompt', settings, '#clear/on/press/0/confirm', 'clear-dta', 'clear-data'),
  row(
    'what a prompt reads',
    'schemas/forms/setting/bank.json',
    '/submit/steps/0/then/0/with',
    { before: { $: 'data.card.bank_account' } },
    undefined,
    '/submit/steps/0/then/0',
  ),
  row('a sheet', settings, '#language/on/press', [{ open: 'language-shet' }], 'language-sheet'),
  row('a state that is set', market, '#groups/on/change/0/set', { 'state.grup': { $: 'value' } }, 'state.group', '#groups/on/change/0/set'),
  row(
    'what the device keeps',
    areas,
    '#country/on/press/0/set',
    { 'device.aera': { $: 'item.code' } },
    'device.area',
    '#country/on/press/0/set',
  ),
  row('writing what may not be written', areas, '#country/on/press/0/set', { 'session.kyc': 2 }, undefined, '#country/on/press/0/set'),
  row('a link to a stranger', faq, '#to-contact/on/press', [{ link: 'https://tessera.exmaple/help' }], 'tessera.example'),
  row('a link without a lock', faq, '#to-contact/on/press', [{ link: 'http://tessera.example/help' }]),
  row('a screen of a route', routes, '#pages~1common~1faq/screen', 'common.fqa', 'common.faq'),
  row('a tab', routes, '#pages~1market~1market/tab', 'markt', 'market'),
  row('a tab that its route does not select', routes, '#pages~1transaction~1index/tab', undefined, undefined, ''),
  row('an alias that is taken', routes, '#pages~1common~1faq/aliases', ['pages/common/login']),
  row('a route that is gone', routes, '#pages~1common~1forgot', undefined, undefined, ''),
  row('a tab that leads nowhere', tabs, '#trade/to', 'pages/transaction/indx', 'pages/transaction/index'),
  // Fields, validations, fragments
  row('a validation', emailForm, '#email/rules/0', 'emial', 'email'),
  row('a validation without what it needs', emailForm, '#email/rules/0', { use: 'bid-above' }),
  row('a validation with what it does not take', emailForm, '#email/rules/0', { use: 'bid-above', with: { curent: '1' } }),
  row('a parameter inside a validation', bidAbove, '/test', 'value > params.curent', 'params.current'),
  row('a field type that its widget cannot hold', mobileForm, '#mobile/type', 'boolean', undefined, '#mobile/maxLength'),
  row('a group that there is not', mobileForm, '#mobile/group', 'first'),
  row('a least that is a word', mobileForm, '#mobile/minLength', 'six'),
  row('a fragment', faq, '/body/0/slots/body/-', { use: 'contnt', with: { html: 'x' } }, 'content'),
  row('what a fragment needs', faq, '/body/0/slots/body/-', { use: 'content' }),
  row('what a fragment reads', content, '#content-text/props/html', { $: 'params.htm' }, 'params.html'),
  // Words
  row('a text key', login, '#welcome/props/text/$t', 'account.login_welcom', 'account.login_welcome'),
  row('a text key of an entry', entries, '#gold/label/$t', 'home.entry_glod', 'home.entry_gold'),
  row('words that are not a key', login, '#welcome/props/text', 'Welcome back'),
  row('words in a toast', emailForm, '/submit/steps/2/toast', 'Done'),
  row('words as a title of a prompt', logout, '/title', 'Log out?'),
  row('an argument that a text wants', bidAbove, '/message', { $t: 'validation.bid_above' }),
  row(
    'an argument with a slip',
    bidAbove,
    '/message',
    { $t: 'validation.bid_above', curent: { $: 'params.current' } },
    'current instead of curent',
  ),
  row('a key missing in one language', japanese, '/login_welcome', undefined),
  row('a key that nothing says', english, '/entry_glod', 'Gold'),
  row('a placeholder lost in translation', 'locales/fr/home.json', '/news_note', '{{age}}'),
  row('braces that do not close', 'locales/es/home.json', '/news_note', '{{age}} · {{summary'),
  // Theme and app
  row('a colour that is none', theme, '/dark/accent', '#F7A64'),
  row('a colour by name', theme, '/light/text', 'black'),
  row('text that cannot be read', theme, '/dark/quiet', '#3A4250'),
  row('text on the accent that cannot be read', theme, '/light/on-accent', '#8F4B10'),
  row('a colour in one palette only', theme, '/light/quite', '#525D6E', 'quiet', '/dark'),
  row('a colour that is missing', theme, '/light/surface', undefined, undefined, '/light'),
  row('a default language that is not offered', app, '/defaultLanguage', 'eng', 'en'),
  row('a language without a tag', app, '#ja/tag', undefined),
  row('a tag that is none', app, '#ja/tag', 'japanese_JP'),
  row('a language twice', app, '#fr/id', 'ko'),
  row('a default currency that is not offered', app, '/defaultFiat', 'USDD', 'USD'),
  row('a default that is none of its words', app, '/device/theme/default', 'drak', 'dark'),
  // Statuses
  row('a status that no contract knows', orders, '#order-row/props/status', v('item.base')),
  row('a status that is a word', orders, '#order-row/props/status', 'credited'),
  row('a status with a text of its own', orders, '#order-row/props/badge', { $t: 'funding.state' }),
  row('a status of an order in the words of another list', orders, '/values/is_open', "data.order.status in ['new', 'opne']", 'open'),
  row(
    'a misspelt status in a list of rows',
    trade,
    '/values/resting',
    "filter(data.spot_orders.list, .status in ['open', 'partail'])",
    'partial',
  ),
  row('a misspelt status of a row', trade, '/values/own', "where(data.spot_orders.list, 'status', 'opened')", 'open'),
  row('a misspelt status of a case', orders, '/values/is_open', "case(data.order.status, 'filed', true, false)", 'filled'),
  // Sizes
  row(
    'too many entries',
    entries,
    '/entries',
    Array.from({ length: 61 }, (_, i) => ({ id: `e${i}`, icon: 'coins', label: { $t: 'home.entry_gold' }, to: '/' })),
  ),
  row(
    'too many steps',
    settings,
    '#faq/on/press',
    Array.from({ length: 21 }, () => ({ back: true })),
  ),
  row('too deep a document', share, '#card/props', { title: levels(40) }, undefined, ''),
  row(
    'too many sources',
    security,
    '/data',
    Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`s${i}`, { call: 'common.getSiteConfig' }])),
  ),
  row('a document that is too big', trade, '/state/pickText', 'x'.repeat(1_048_577), undefined, ''),
]
