import type { Mistake } from '#language/testdata/linted.ts'

const home = 'schemas/screens/home.json'
const list = 'schemas/screens/orders/list.json'
const detail = 'schemas/screens/orders/detail.json'
const app = 'schemas/app.json'
const tabs = 'schemas/quick-entries/tabs.json'
const row = '/body/0/slots/body/0/slots/row/0'
const entry = { id: 'home', icon: 'home', label: { $t: 'app.home' }, to: '/' }
const orders = { call: 'order.list', args: { status: { $: 'state.status' } }, pages: true }
const both = (a: unknown, b: unknown) => ({ and: [{ '===': [{ var: 'item.side' }, a] }, { '===': [b, { var: 'item.side' }] }] })

const pushed = {
  topic: 'orders',
  by: { $: 'item.symbol' },
  one: { toast: { $t: 'orders.hello' }, press: [{ go: 'pages/order', params: { id: { $: 'item.id' } } }] },
  many: { toast: { $t: 'orders.hello' }, press: [{ go: 'pages/orders' }] },
}
const some = (path: string) => ({ some: [{ var: path }, { '===': [{ var: 'id' }, 7] }] })

/** Mistakes in lists beside the nodes, in what the app begins with, in repeats and in conditions of several parts. */
export const moreMistakes: Mistake[] = [
  ['enter-circles', 'a screen that leads to itself', [list, '/enter', [{ go: 'pages/orders' }]], /"enter" causes a cycle/],
  ['ids', 'an entry twice', [tabs, '/entries', [entry, entry]], /"home" is already used at \/entries\/0/, 'home-2'],
  ['ids', 'a language twice', [app, '/languages/1/id', 'en'], /"en" is already used/],
  ['app', 'a default language that is not offered', [app, '/defaultLanguage', 'eng'], /"eng" is none of en, ja/, 'en'],
  ['app', 'a default currency that is not offered', [app, '/defaultFiat', 'UDS'], /"UDS" is none of USD/, 'USD'],
  ['app', 'a default of the device that is not offered', [app, '/device/theme/default', 'drak'], /"drak" is none of dark, light/, 'dark'],
  ['app', 'a language tag that is none', [app, '/languages/1/tag', 'ja_JP'], /"ja_JP" is no language tag/, 'ja-JP'],
  ['sources', 'keeping the answer to arguments that never change', [detail, '/data/orders/keep', true], /arguments never change/],
  ['sources', 'waiting for arguments that never change', [home, '/data/site/debounceMs', 100], /arguments never change/],
  ['sources', 'keeping what tells of the balance', [list, '/data/orders', { ...orders, keep: true, live: 'balance' }], /the balance/],
  [
    'source-circles',
    'a source whose steps load it again',
    [home, '/data/site/on', { changed: [{ refresh: ['site'] }] }],
    /"changed" loads its own source again: "site" → "site"/,
  ],
  [
    'source-circles',
    'a source whose steps change what it asks',
    [list, '/data/orders/on', { changed: [{ set: { 'state.status': { $: 'data.orders.list.0.side' } } }] }],
    /loads its own source again: "orders"/,
  ],
  [
    'source-circles',
    'a source that loads itself again under a condition',
    [home, '/data/site/on', { changed: [{ if: 'data.site.open', then: [{ refresh: ['site'] }] }] }],
    /the condition must end it/,
    undefined,
    'warn',
  ],
  ['steps', 'a source that is not there', [home, '/data/site/on', { loaded: [{ refresh: ['sit'] }] }], /no source "sit"/, 'site'],
  [
    'paths',
    'a member of the answer before',
    [home, '/data/site/on', { changed: [{ copy: { $: 'value.nme' } }] }],
    /no "nme"/,
    'value.name',
  ],
  [
    'paths',
    'the answer before the first',
    [home, '/data/site/on', { loaded: [{ copy: { $: 'value.name' } }] }],
    /"value" is only available inside an action/,
  ],
  [
    'text-conditions',
    'the text of an amount',
    [list, `${row}/show`, { and: [{ has: 'item.id' }, { var: 'item.price' }] }],
    /even "0" is true/,
    undefined,
    'warn',
  ],
  ['text-conditions', 'the text of an amount alone', [list, `${row}/show`, 'item.price'], /even "0" is true/, undefined, 'warn'],
  [
    'text-conditions',
    'the text of an amount of an if',
    [list, `${row}/props/price`, { $: { if: [{ var: 'item.price' }, 1, 2] } }],
    /even "0" is true/,
    undefined,
    'warn',
  ],
  [
    'bounds',
    'an iteration over all pages',
    [list, '/body/0/show', some('data.orders.list')],
    /nothing says how many rows.*"some"/,
    undefined,
    'warn',
  ],
  [
    'bounds',
    'an iteration over a list without a number',
    [home, '/body/0/show', some('data.site.links')],
    /"some" shows an error/,
    undefined,
    'warn',
  ],
  ['lists', 'a key that records have not', [app, '/device/alerts/key', 'symbl'], /records have no "symbl"/, 'symbol'],
  ['lists', 'members without a key', [app, '/device/alerts/key', undefined], /belong together/],
  ['lists', 'a record at the start with a member too many', [app, '/device/alerts/default', [{ symbl: 'x' }]], /no "symbl"/, 'symbol'],
  [
    'lists',
    'a list that is a plain value too',
    [list, '/lists', { status: { key: 'id', of: { id: { type: 'integer' } } } }],
    /declared twice/,
  ],
  [
    'steps',
    'a member that records have not',
    [detail, '/enter', [{ set: { 'device.alerts[params.symbol]': { prise: '1' } } }]],
    /no "prise"/,
    'price',
  ],
  [
    'steps',
    'a member of another kind',
    [detail, '/enter', [{ set: { 'device.alerts[params.symbol].price': { $: 'data.orders.list.0.symbol' } } }]],
    /"price": /,
  ],
  ['steps', 'what is no record', [detail, '/enter', [{ set: { 'device.alerts[params.symbol]': '1' } }]], /must be a record or null/],
  [
    'steps',
    'a record of a list of plain values',
    [detail, '/enter', [{ set: { 'device.recent[params.symbol]': null } }]],
    /no list of records/,
  ],
  [
    'steps',
    'a key that is not there',
    [detail, '/enter', [{ set: { 'device.alerts[params.symbl]': null } }]],
    /no "symbl"/,
    'params.symbol',
  ],
  [
    'steps',
    'a named value for a key',
    [detail, '/enter', [{ set: { 'device.alerts[values.symbol]': null } }]],
    /is not allowed in the brackets/,
  ],
  ['repeats', 'a key that rows have not', [list, `${row}/repeat/key`, 'idd'], /rows have no "idd"/, 'id'],
  ['repeats', 'what is no list', [list, `${row}/repeat/each`, { $: 'data.orders' }], /must be a list/],
  ['conditions', 'two things at once', [list, `${row}/show`, both('buy', 'sell')], /"item.side" cannot be two things at once/],
  ['operands', 'a number and a word', [home, '/body/0/show', { '===': [{ var: 'session.kyc' }, 'one'] }], /never the same/],
  ['expressions', 'a pattern that there is not', [detail, '/body/0/show', { match: [{ var: 'params.id' }, 'digit'] }], /knows/, 'digits'],
  ['impossible', 'a value compared with itself', [home, '/body/0/show', 'session.kyc = session.kyc'], /compared with itself/],
  ['actions', 'a step behind the one that leaves', [detail, '/enter', [{ back: true }, { back: true }]], /never runs/],
  [
    'dead-ends',
    'a prompt that is stale at once',
    ['schemas/prompts/cancel.json', '/stale_after_ms', 10],
    /a prompt cannot be read in less/,
  ],
  [
    'paths',
    'a present value in the text of a prompt',
    ['schemas/prompts/cancel.json', '/title', { $: 'latest.symbol' }],
    /"latest" is only available in the "stale_when" of a prompt/,
  ],
  [
    'steps',
    'a present value that no step gives',
    ['schemas/prompts/cancel.json', '/stale_when', 'params.symbol != latest.sid'],
    /reads "params.sid", which is not given/,
  ],
  [
    'dead-ends',
    'a login that asks for a login',
    ['schemas/app.json', '/constants/loginRoute', 'pages/place'],
    /"pages\/place" is the login page and requires a login itself/,
  ],
  ['declared-words', 'a topic that there is not', [list, '/data/orders', { ...orders, live: 'balanc' }], /no topic "balanc"/, 'balance'],
  [
    'declared-words',
    'one of two topics that there is not',
    [list, '/data/orders', { ...orders, live: ['balance', 'balanc'] }],
    /no topic "balanc"/,
    'balance',
  ],
  ['symbols', 'a market that there is not', ['schemas/flows/cancel.json', '/steps/0/params/symbol', 'BTX'], /no market "BTX"/, 'BTC'],
  ['symbols', 'a price of no market', [home, '/body/0/show', { '>': [{ var: 'feed.ETX.last' }, 1] }], /no market "ETX"/, 'ETH'],
  [
    'inverted-guards',
    'a row that may not be there',
    [detail, '/body/0/show', { '!': { var: 'data.orders.list[params.id].side' } }],
    /may have no value; then "show" is false/,
    'data.orders.list[params.id].side ?? …',
    'warn',
  ],
  [
    'params',
    'a parameter of a screen',
    [list, '/params', { from: { type: 'string' } }],
    /nothing sets "from" of the screen/,
    undefined,
    'warn',
  ],
  ['fragments', 'a word for a flag of a fragment', [detail, '/body/1/with/big', 'yes'], /"yes" where true or false is expected/],
  [
    'text-keys',
    'a context that no text has',
    [home, '/body/0/slots/body/0/props/label', { $t: 'orders.too', context: 'few' }],
    /"orders.too" has no context "few"/,
  ],
  ['twice', 'text that nobody can read', ['schemas/theme.json', '/type', { xs: 6 }], /6 px is too small/],
  ['declared-words', 'a pushed topic', [app, '/pushed', [{ ...pushed, topic: 'ordrs' }]], /no topic "ordrs" with rows/, 'orders'],
  ['declared-words', 'a pushed topic without rows', [app, '/pushed', [{ ...pushed, topic: 'balance' }]], /"balance" with rows/],
  ['paths', 'a member of a pushed row', [app, '/pushed', [{ ...pushed, by: { $: 'item.symbl' } }]], /no "symbl"/, 'item.symbol'],
  [
    'text-keys',
    'a text of a pushed row',
    [app, '/pushed', [{ ...pushed, one: { toast: { $t: 'orders.helo' } } }]],
    /no text "orders.helo"/,
  ],
  [
    'targets',
    'a route of a pushed row',
    [app, '/pushed', [{ ...pushed, many: { ...pushed.many, press: [{ go: 'pages/order5' }] } }]],
    /no route/,
  ],
]
