import { describe, expect, test } from 'vitest'
import { parse } from '#language/documents/parse.ts'
import { usersOf, whereUsed } from '#language/edit/where-used.ts'
import type { Catalog } from '#language/types/catalog.ts'

const form = { type: 'object', properties: { form: { type: 'string', ref: 'form' }, title: { type: 'string', text: true } } }
const catalog: Catalog = {
  widgets: [{ type: 'form', major: 1, props: form, events: ['press'], slots: {}, label: null, states: {} }],
  functions: [],
  calls: [],
  icons: [],
  topics: [],
  symbols: [],
}
const file = (path: string, doc: object) => ({ file: path, text: JSON.stringify(doc, null, 1) })
const { documents, problems } = parse([
  file('a.json', {
    kind: 'screen',
    id: 'pay.out',
    format: 1,
    data: { info: { call: 'user.info' } },
    body: [
      {
        id: 'one',
        widget: 'form@1',
        props: { form: 'pay.out', title: { $t: 'pay.title' } },
        on: { press: [{ confirm: 'logout' }, { logout: true }] },
      },
      { use: 'help' },
    ],
  }),
  file('b.json', { kind: 'routes', id: 'routes', format: 1, routes: { '/pay': { screen: 'pay.out' } } }),
  file('c.json', {
    kind: 'prompt',
    id: 'logout',
    format: 1,
    title: { $t: 'pay.title' },
    text: { $t: { if: [{ var: 'session.kyc' }, 'pay.computed', 'pay.other'] } },
  }),
  file('e.json', {
    kind: 'flow',
    id: 'logout',
    format: 1,
    about: 'withdraw',
    as: 'visitor',
    answers: { 'user.info': { data: { type: 'withdraw', withdraw: 'withdraw' } } },
    steps: [{ open: '/pay' }, { expect: { called: 'user.info', screen: 'pay.out', text: { $t: 'pay.title' } } }],
  }),
  file('d.json', {
    kind: 'form',
    id: 'pay.out',
    format: 1,
    fields: [{ name: 'x', type: 'string', widget: 'text-field', label: 'X', rules: ['amount', { use: 'amount' }] }],
    submit: { label: 'X', steps: [] },
  }),
])

describe('names that a use hands to a fragment', () => {
  const given = parse([
    file('records.json', {
      kind: 'fragment',
      id: 'records',
      format: 2,
      params: { call: { type: 'string' }, export: { type: 'string' }, none: { type: 'record' }, label: { type: 'string' } },
      data: { rows: { call: '= params.call' } },
      actions: { export: [{ export: '= params.export' }] },
      body: [{ id: 'none', widget: 'form', props: { title: '= params.label' }, on: { press: [{ go: '= params.none.go' }] } }],
    }),
    file('outer.json', {
      kind: 'fragment',
      id: 'outer',
      format: 2,
      params: { of: { type: 'string' } },
      body: [{ use: 'records', with: { call: '= params.of', label: 'fund.bill' } }],
    }),
    file('screen.json', {
      kind: 'screen',
      id: 'fund.bill',
      format: 2,
      body: [
        {
          use: 'records',
          with: { call: 'wallet.getRecord', export: 'wallet.exportLog', none: { go: 'pages/fund/receive' }, label: 'wallet.x' },
        },
        { use: 'outer', as: 'two', with: { of: 'wallet.getRecord' } },
      ],
    }),
  ])
  test.for([
    ['wallet.getRecord', ['screen.json /body/0/with/call', 'screen.json /body/1/with/of']],
    ['call/wallet.exportLog', ['screen.json /body/0/with/export']],
    ['pages/fund/receive', ['screen.json /body/0/with/none/go']],
    ['route/wallet.getRecord', []],
    ['wallet.x', []],
    ['fund.bill', []],
  ] as const)('%s', ([word, places]) => {
    expect(given.problems).toEqual([])
    expect(whereUsed(given.documents, word, catalog).map((use) => `${use.file} ${use.pointer}`)).toEqual(places)
  })
})

test('the sample can be parsed', () => expect(problems).toEqual([]))

describe('all places that refer to a name', () => {
  test.for([
    ['user.info', ['a.json /data/info/call', 'e.json /answers/user.info', 'e.json /steps/1/expect/called']],
    ['call/user.info', ['a.json /data/info/call', 'e.json /answers/user.info', 'e.json /steps/1/expect/called']],
    ['form', ['a.json /body/0/widget']],
    ['pay.out', ['a.json /body/0/props/form', 'b.json /routes/~1pay/screen', 'e.json /steps/1/expect/screen']],
    ['form/pay.out', ['a.json /body/0/props/form']],
    ['pay.title', ['a.json /body/0/props/title/$t', 'c.json /title/$t', 'e.json /steps/1/expect/text/$t']],
    ['pay.computed', ['c.json /text/$t']],
    ['/pay', ['b.json /routes/~1pay', 'e.json /steps/0/open']],
    ['text-field', ['d.json /fields/0/widget']],
    ['amount', ['d.json /fields/0/rules/0', 'd.json /fields/0/rules/1']],
    // Sample data, literal text, and names with another meaning.
    ['logout', ['a.json /body/0/on/press/0/confirm']],
    ['withdraw', []],
    ['X', []],
    ['visitor', []],
    ['nothing', []],
  ] as const)('%s', ([word, places]) => {
    expect(whereUsed(documents, word, catalog).map((use) => `${use.file} ${use.pointer}`)).toEqual(places)
  })
  test('lines are those of the text', () => {
    expect(whereUsed(documents, 'user.info', catalog)[0]).toEqual({
      document: 'screen/pay.out',
      file: 'a.json',
      line: 7,
      pointer: '/data/info/call',
    })
  })
})

describe('users of a document', () => {
  test.for([
    ['prompt/logout', ['a.json /body/0/on/press/0/confirm']],
    ['form/pay.out', ['a.json /body/0/props/form']],
    ['screen/pay.out', ['b.json /routes/~1pay/screen', 'e.json /steps/1/expect/screen']],
    ['fragment/help', ['a.json /body/1/use']],
    ['validation/amount', ['d.json /fields/0/rules/0', 'd.json /fields/0/rules/1']],
    ['quick-entries/none', []],
  ] as const)('%s', ([key, places]) => {
    expect(usersOf(documents, key, catalog).map((use) => `${use.file} ${use.pointer}`)).toEqual(places)
  })
})
