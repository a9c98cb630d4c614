import type { Mistake } from '#language/testdata/linted.ts'

const home = 'schemas/screens/home.json'
const form = 'schemas/forms/order.json'
const place = 'schemas/screens/orders/place.json'
const button = '/body/0/slots/body/0'

const cell = (name: string, more: object = {}) => ({ name, type: 'string', widget: 'text-field', label: { $t: 'orders.amount' }, ...more })
const rows = (fields: object[]) => ({
  name: 'symbol',
  type: 'rows',
  widget: 'text-field',
  label: { $t: 'orders.title' },
  group: 'main',
  fields,
})

const page = (id: string) => ({ id, title: { $t: 'orders.title' } })

/** Mistakes in forms, validations and the screens that show them. */
export const formMistakes: readonly Mistake[] = [
  ['literals', 'a default that its field refuses', [form, '/fields/1/default', '1,5'], /refuses "1,5": it is no number/],
  [
    'follows',
    'a field that follows and has a default',
    [
      form,
      '/fields/0',
      {
        name: 'symbol',
        type: 'string',
        widget: 'text-field',
        label: { $t: 'orders.title' },
        required: true,
        maxLength: 20,
        group: 'main',
        default: 'BTC',
        follows: { $: 'params.symbol' },
      },
    ],
    /not with a "default"/,
  ],
  ['follows', 'a field that follows nothing, again', [form, '/fields/0/followsAgain', true], /no effect on a field without "follows"/],
  ['follows', 'a field that follows itself', [form, '/fields/0/follows', { $: 'form.symbol' }], /in a circle: "symbol" → "symbol"/],
  [
    'dead-ends',
    'a login without its page',
    ['schemas/app.json', '/constants/loginRoute', undefined],
    /the app does not say where: add "loginRoute"/,
  ],
  [
    'impossible',
    'bounds that just exclude each other',
    [home, '/body/0/show', { and: [{ '>': [{ var: 'session.kyc' }, 1] }, { '<': [{ var: 'session.kyc' }, 1] }] }],
    /no "session.kyc" satisfies both|satisfies both bounds/,
  ],
  [
    'impossible',
    'whole numbers with none between them',
    [home, '/body/0/show', { and: [{ '>': [{ var: 'session.kyc' }, 0] }, { '<': [{ var: 'session.kyc' }, 1] }] }],
    /satisfies both bounds/,
  ],
  ['pages', 'pages without fields', [form, '/pages', [page('one'), page('two')]], /stands on no page/],
  ['pages', 'a page that is not there', [form, '/fields/0/page', 'oen'], /no page "oen"/],
  ['pages', 'a page that shows nothing', [form, '/pages', [page('one'), page('two')]], /no field stands on the page "two"/],
  ['pages', 'a summary of nothing', [form, '/pages', [{ ...page('one'), summary: true }, page('two')]], /no page before the first/],
  ['ids', 'a page twice', [form, '/pages', [page('one'), page('one')]], /"one" is already used/, 'one-2'],
  ['fields', 'rows without fields', [form, '/fields/0/type', 'rows'], /of type rows requires "fields"/],
  ['fields', 'fields of a row in a text', [form, '/fields/0/fields', [cell('a')]], /"fields" belong to a field of type rows/],
  ['fields', 'a field twice in a row', [form, '/fields/0', rows([cell('a'), cell('a')])], /already has a field "a"/, 'a_2'],
  [
    'fields',
    'a bound in a row that means nothing',
    [form, '/fields/0', rows([cell('a', { min: '1' })])],
    /"min" has no effect on a field of type string/,
  ],
  [
    'paths',
    'a misspelt field of the row',
    [form, '/fields/0', rows([cell('amount', { type: 'decimal' }), cell('a', { show: { has: 'item.amuont' } })])],
    /no "amuont"/,
    'item.amount',
  ],
  [
    'paths',
    'a misspelt field of all rows',
    [
      form,
      '/fields/0',
      { ...rows([cell('amount', { type: 'decimal' })]), rules: [{ test: { has: 'value.0.amuont' }, message: { $t: 'orders.amount' } }] },
    ],
    /no "amuont"/,
    'value.0.amount',
  ],
  [
    'literals',
    'a default in a row that its field refuses',
    [form, '/fields/0', rows([cell('a', { type: 'decimal', default: '1,5' })])],
    /refuses "1,5"/,
  ],
  ['fields', 'a validation that is not there', [form, '/fields/1/rules/0/use', 'at-leest'], /no validation "at-leest"/, 'at-least'],
  ['fields', 'what a validation needs', [form, '/fields/1/rules/0/with', {}], /validation "at-least": "least" is missing/],
  ['fields', 'what a validation does not take', [form, '/fields/1/rules/0/with/most', '9'], /there is no "most"/],
  ['fields', 'a widget that takes no input', [form, '/fields/0/widget', 'button'], /button takes no input/],
  [
    'text-keys',
    'a key in an expression',
    [form, '/fields/0/hint', { $: { t: ['orders.amuont'] } }],
    /no text "orders.amuont"/,
    'orders.amount',
  ],
  ['fields', 'a field outside of a form', [home, `${button}/widget`, 'text-field'], /text-field belongs in a form, not in a screen/],
  ['fields', 'a group that is not there', [form, '/fields/0/group', 'mian'], /no group "mian"/, 'main'],
  ['fields', 'a choice without options', [form, '/fields/0/type', 'enum'], /requires "options"/],
  ['fields', 'a bound that means nothing', [form, '/fields/0/max', '9'], /"max" has no effect on a field of type string/],
  ['fields', 'a rule that speaks of no field', [form, '/rules/0/field', 'amuont'], /no field "amuont"/, 'amount'],
  [
    'hidden-fields',
    'a rule that counts on a field which can be hidden',
    [form, '/fields/0/show', { has: 'state.step' }],
    /"symbol" can be hidden/,
    undefined,
    'warn',
  ],
  ['ids', 'a field twice', [form, '/fields/1/name', 'symbol'], /"symbol" is already used/, 'symbol-2'],
  ['paths', 'a misspelt field in a rule', [form, '/rules/0/test', { has: 'form.symbl' }], /no "symbl" in "form"/, 'form.symbol'],
  ['paths', 'a misspelt field in what is sent', [form, '/submit/steps/0/args/amount', { $: 'form.amuont' }], /no "amuont"/, 'form.amount'],
  ['paths', 'a misspelt field in the screen', [place, '/body/1/show', { has: 'form.amuont' }], /no "amuont" in "form"/, 'form.amount'],
  [
    'paths',
    'a parameter of a validation',
    ['schemas/validations/at-least.json', '/test', { has: 'params.leest' }],
    /no "leest"/,
    'params.least',
  ],
  ['paths', 'state of the screen from its form', [form, '/submit/enable', { has: 'state.stpe' }], /no "stpe" in "state"/, 'state.step'],
  [
    'operands',
    'a flag compared as an amount',
    [form, '/fields/1/rules/1/test', { '<=': [{ has: 'value' }, '50'] }],
    /not on true or false/,
  ],
  ['steps', 'a field that nobody entered', [place, '/body/1/on/press/0/set', { 'form.amuont': '1' }], /no "amuont"/, 'form.amount'],
  [
    'steps',
    'state that the screen of the form does not have',
    [form, '/fields/1/on/send/0/set', { 'state.stpe': 1 }],
    /no "stpe"/,
    'state.step',
  ],
  ['events', 'an event that the field does not have', [form, '/fields/1/on', { sent: [{ back: true }] }], /no event "sent"/, 'send'],
  ['outcomes', 'a problem put on a field that is not there', [form, '/errors/too_much/field', 'amuont'], /no field "amuont"/, 'amount'],
  [
    'guards',
    'a form that visitors can send',
    ['schemas/routes.json', '/routes/pages~1place/auth', undefined],
    /order.place needs a login/,
    '"auth": true on the route',
  ],
  ['refs', 'a form that is not there', [place, '/body/0/props/form', 'oder'], /no form "oder"/, 'order'],
  [
    'unused',
    'a form that nobody shows',
    [place, '/body/0', { id: 'form', widget: 'page', slots: { body: [{ id: 'x', widget: 'page', slots: { body: [] } }] } }],
    /no screen shows the form "order"/,
    undefined,
    'warn',
  ],
  ['props', 'an unknown prop of a field', [form, '/fields/0/props', { unti: { $t: 'orders.amount' } }], /no "unti"/, 'unit'],
  ['text-keys', 'a key in a form', [form, '/fields/0/label/$t', 'orders.titel'], /no text "orders.titel"/, 'orders.title'],
  ['literal-text', 'a label in plain words', [form, '/fields/0/label', 'Symbol'], /by text key|key/],
  ['targets', 'a form that goes nowhere', [form, '/submit/steps/2/go', 'pages/ordres'], /no route "pages\/ordres"/, 'pages/orders'],
]
