import type { SourceFile, TextCatalog } from '#language/types/catalog.ts'

/** A small product without a mistake: tests change one thing and look at what is said. */

const words = {
  orders: {
    title: 'Orders',
    cancel: 'Cancel {{symbol}}',
    cancelled: 'Cancelled',
    sure: 'Cancel this order?',
    gone: 'It is gone',
    hello: 'Hello',
    amount: 'Amount',
    too_much: 'Too much',
    at_least: 'At least {{least}}',
    count_one: '{{count}} order',
    count_other: '{{count}} orders',
  },
  app: { tabs: 'Tabs', home: 'Home' },
}
export const texts = (): TextCatalog => {
  const { count_one: _, ...orders } = words.orders
  return structuredClone({ en: words, ja: { ...words, orders } })
}

const palette = { ground: '#0E1116', surface: '#161B22', raised: '#1E2530', text: '#E8ECF2', quiet: '#98A2B3' }
const light = { ground: '#F4F6F9', surface: '#FFFFFF', raised: '#EBEFF4', text: '#141A22', quiet: '#525D6E' }

/** Documents by file. The tests' changes are written as paths into this. */
const written = {
  'schemas/app.json': {
    kind: 'app',
    id: 'app',
    format: 1,
    languages: [
      { id: 'en', label: 'English', tag: 'en' },
      { id: 'ja', label: '日本語', tag: 'ja' },
    ],
    defaultLanguage: 'en',
    fiats: ['USD'],
    defaultFiat: 'USD',
    constants: { pageSize: 10, loginRoute: '/' },
    device: {
      recent: { type: 'list', default: [] },
      alerts: { type: 'list', key: 'symbol', of: { symbol: { type: 'string' }, price: { type: 'decimal' } }, default: [] },
      theme: { type: 'enum', values: ['dark', 'light'], default: 'dark' },
    },
    links: ['help.example'],
    tabBar: { id: 'tabs', widget: 'tab-bar', props: { list: 'tabs', label: { $t: 'app.tabs' } } },
  },
  'schemas/routes.json': {
    kind: 'routes',
    id: 'routes',
    format: 1,
    routes: {
      '/': { screen: 'home', tab: 'home', aliases: ['pages/index'] },
      'pages/orders': { screen: 'orders.list', auth: true },
      'pages/order': { screen: 'orders.detail', auth: true },
      'pages/place': { screen: 'orders.place', auth: true },
    },
  },
  'schemas/theme.json': { kind: 'theme', id: 'theme', format: 1, dark: palette, light, space: {}, radius: {}, type: {} },
  'schemas/quick-entries/tabs.json': {
    kind: 'quick-entries',
    id: 'tabs',
    format: 1,
    entries: [{ id: 'home', icon: 'home', label: { $t: 'app.home' }, to: '/' }],
  },
  'schemas/prompts/cancel.json': {
    kind: 'prompt',
    id: 'cancel',
    format: 1,
    title: { $t: 'orders.sure' },
    rows: [{ label: { $t: 'orders.title' }, value: { $: 'params.symbol' } }],
  },
  'schemas/fragments/cancel-button.json': {
    kind: 'fragment',
    id: 'cancel-button',
    format: 1,
    params: { symbol: { type: 'string', required: true }, big: { type: 'boolean' } },
    body: [
      {
        id: 'cancel',
        widget: 'button',
        props: { label: { $t: 'orders.cancel', symbol: { $: 'params.symbol' } } },
        show: { has: 'params.symbol' },
        enable: { '!': [{ var: ['params.big', false] }] },
      },
    ],
  },
  'schemas/validations/at-least.json': {
    kind: 'validation',
    id: 'at-least',
    format: 1,
    params: { least: { type: 'decimal', required: true } },
    test: { '>=': [{ var: 'value' }, { var: 'params.least' }] },
    message: { $t: 'orders.at_least', least: { $: 'params.least' } },
  },
  'schemas/forms/order.json': {
    kind: 'form',
    id: 'order',
    format: 1,
    groups: [{ id: 'main', title: { $t: 'orders.title' } }],
    fields: [
      { name: 'symbol', type: 'string', widget: 'text-field', label: { $t: 'orders.title' }, required: true, maxLength: 20, group: 'main' },
      {
        name: 'amount',
        type: 'decimal',
        widget: 'text-field',
        label: { $t: 'orders.amount' },
        required: { has: 'form.symbol' },
        max: '100',
        rules: [
          { use: 'at-least', with: { least: '1' } },
          { test: { '<=': [{ var: 'value' }, '50'] }, message: { $t: 'orders.too_much' }, level: 'warn' },
        ],
        on: { send: [{ set: { 'state.step': 'sent' } }] },
      },
    ],
    rules: [{ test: { '!==': [{ var: 'form.symbol' }, { var: 'form.amount' }] }, message: { $t: 'orders.too_much' }, field: 'amount' }],
    submit: {
      label: { $t: 'orders.hello' },
      steps: [
        { call: 'order.place', args: { symbol: { $: 'form.symbol' }, amount: { $: 'form.amount' } }, as: 'placed' },
        { reset: 'form' },
        { go: 'pages/orders' },
      ],
    },
    errors: { too_much: { field: 'amount' }, '*': { toast: { $t: 'orders.gone' } } },
  },
  'schemas/screens/orders/place.json': {
    kind: 'screen',
    id: 'orders.place',
    format: 1,
    state: { step: 'new' },
    body: [
      { id: 'form', widget: 'form', props: { form: 'order' } },
      {
        id: 'seen',
        widget: 'button',
        props: { label: { $t: 'orders.hello' } },
        show: { and: [{ has: 'form.amount' }, { '===': [{ var: 'state.step' }, 'new'] }] },
        on: { press: [{ set: { 'form.amount': '1' } }] },
      },
    ],
  },
  'schemas/screens/home.json': {
    kind: 'screen',
    id: 'home',
    format: 1,
    data: { site: { call: 'site.info' } },
    body: [
      {
        id: 'page',
        widget: 'page',
        show: { '===': [{ var: 'data.site.open' }, true] },
        slots: {
          body: [
            {
              id: 'hello',
              widget: 'button',
              props: { label: { $t: 'orders.hello' }, icon: 'search', size: 2 },
              on: { press: [{ go: 'pages/orders' }] },
            },
          ],
        },
      },
    ],
  },
  'schemas/screens/orders/list.json': {
    kind: 'screen',
    id: 'orders.list',
    format: 1,
    state: { status: 'open', text: '' },
    data: { orders: { call: 'order.list', args: { status: { $: 'state.status' } }, pages: true } },
    actions: { more: [{ more: 'orders' }] },
    body: [
      {
        id: 'page',
        widget: 'page',
        props: { title: { $t: 'orders.count', count: { $: 'data.orders.total' } } },
        slots: {
          body: [
            {
              id: 'list',
              widget: 'list@2',
              props: { more: { $: 'data.orders.more' } },
              on: { end: 'more' },
              slots: {
                row: [
                  {
                    id: 'order',
                    widget: 'row',
                    repeat: {
                      each: { $: { search: [{ where: [{ var: 'data.orders.list' }, 'side', 'buy'] }, { var: 'state.text' }, 'symbol'] } },
                      key: 'id',
                    },
                    props: { title: { $: 'item.symbol' }, price: { $: 'item.price' }, side: { $: 'item.side' } },
                    on: { press: [{ go: 'pages/order', params: { id: { $: 'item.id' } } }] },
                  },
                ],
              },
            },
          ],
        },
      },
    ],
  },
  'schemas/screens/orders/detail.json': {
    kind: 'screen',
    id: 'orders.detail',
    format: 1,
    params: { id: { type: 'integer', required: true }, symbol: { type: 'string' } },
    data: { orders: { call: 'order.list', args: { status: 'open' } } },
    errors: { not_found: { toast: { $t: 'orders.gone' } }, '*': { refresh: ['orders'] } },
    body: [
      {
        id: 'title',
        widget: 'button',
        props: { label: { $t: 'orders.title' } },
        enable: { '<': [{ var: 'data.orders.list[params.id].price' }, '100'] },
        on: {
          press: [
            { confirm: 'cancel', with: { symbol: { $: 'params.symbol' } } },
            { call: 'order.cancel', args: { id: { $: 'params.id' } }, as: 'done' },
            { if: { has: 'result.done.id' }, then: [{ toast: { $t: 'orders.cancelled' }, tone: 'success' }] },
          ],
        },
      },
      { use: 'cancel-button', with: { symbol: { $: 'params.symbol' }, big: false } },
    ],
  },
  'schemas/flows/cancel.json': {
    kind: 'flow',
    id: 'cancel',
    format: 1,
    about: 'An order is cancelled after a question',
    as: { customer: { kyc: 1 } },
    language: 'en',
    answers: { 'order.cancel': { data: { id: 7 } } },
    steps: [
      { open: 'pages/order', params: { id: 7, symbol: 'BTC' } },
      { press: 'title' },
      { prompt: 'cancel' },
      { expect: { notCalled: 'order.cancel' } },
      { press: 'title' },
      { prompt: 'ok' },
      { expect: { called: 'order.cancel', args: { id: 7 }, toast: { $t: 'orders.cancelled' }, screen: 'orders.detail' } },
    ],
  },
}
export const documents = () => structuredClone(written)

export const filesOf = (docs: Record<string, unknown>): SourceFile[] =>
  Object.entries(docs).map(([file, doc]) => ({ file, text: `${JSON.stringify(doc, null, 2)}\n` }))
