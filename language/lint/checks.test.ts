import { describe, expect, test } from 'vitest'
import { parse } from '#language/documents/parse.ts'
import { actions } from '#language/lint/actions.ts'
import { sourceCircles } from '#language/lint/circles.ts'
import { lint } from '#language/lint/run.ts'
import { catalog } from '#language/testdata/catalog.ts'
import { type Change, filesWith, lintWith } from '#language/testdata/linted.ts'
import { texts } from '#language/testdata/project.ts'
import type { CallManifest } from '#language/types/catalog.ts'

describe('guards', () => {
  const open: Change = ['schemas/routes.json', '/routes/pages~1place/auth', undefined]
  const place = 'schemas/screens/orders/place.json'
  const login = { var: 'session.logged_in' }
  const shown: Change = [place, '/body/0/show', login]
  const named = (show: unknown): Change[] => [
    open,
    shown,
    [place, '/actions', { cancel: [{ call: 'order.cancel', args: { id: '7' } }] }],
    [
      place,
      '/body/2',
      { id: 'more', widget: 'button', props: { label: { $t: 'orders.cancel', symbol: 'X' } }, show, on: { press: 'cancel' } },
    ],
  ]

  test.each<[name: string, changes: Change[], said: RegExp[]]>([
    ['a form shown to visitors', [open], [/^schemas\/forms\/order.json .*order.place needs a login/]],
    ['a form shown to customers', [open, shown], []],
    [
      'a form shown to both, twice on one screen',
      [open, shown, [place, '/body/2', { id: 'second', widget: 'form', props: { form: 'order' } }]],
      [/order.place needs a login/],
    ],
    ['an action of a button for customers', named(login), []],
    ['an action of a button of customers on one condition more', named({ and: [{ has: 'state.step' }, login] }), []],
    ['an action of a button for a level', named({ '>=': [{ var: 'session.kyc' }, 1] }), []],
    ['an action of a button for those without a login', named({ '!': [login] }), [/\/actions\/cancel\/0 .*order.cancel needs a login/]],
    [
      'an action of a button for everybody',
      named({ or: [login, { has: 'state.step' }] }),
      [/\/actions\/cancel\/0 .*order.cancel needs a login/],
    ],
    [
      'a source for those without a login',
      [['schemas/screens/home.json', '/data/mine', { call: 'order.list', args: { status: 'open' }, when: { '!': [login] } }]],
      [/\/data\/mine\/call order.list needs a login/],
    ],
    ['an action of a button for visitors', named({ has: 'state.step' }), [/\/actions\/cancel\/0 .*order.cancel needs a login/]],
  ])('%s', (_, changes, said) => {
    const found = lintWith(changes).filter(({ check }) => check === 'guards')
    expect(found.map(({ file, pointer, message }) => `${file} ${pointer} ${message}`)).toEqual(
      said.map((one) => expect.stringMatching(one)),
    )
  })
})

describe('a call that moves money', () => {
  const detail = 'schemas/screens/orders/detail.json'
  const press = '/body/0/on/press'
  const call = { call: 'order.cancel', args: { id: '7' } }
  const confirm = { confirm: 'cancel', with: { symbol: 'X' } }
  const said = (steps: unknown, more: Partial<CallManifest> = {}) => {
    const { documents } = parse(filesWith([[detail, press, steps]]))
    const calls = catalog.calls.map((one) => (one.name === call.call ? { ...one, keyed: 'money' as const, ...more } : one))
    return lint(documents, texts(), { ...catalog, calls }, [actions]).map(({ pointer, message }) => `${pointer} ${message}`)
  }

  test('needs a press: steps that follow a change have none', () => {
    const { documents } = parse(filesWith([[detail, '/changes', [{ when: 'params.symbol', do: [call] }]]]))
    const calls = catalog.calls.map((one) => (one.name === call.call ? { ...one, keyed: 'money' as const } : one))
    const found = lint(documents, texts(), { ...catalog, calls }, [sourceCircles])
    expect(found.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual([
      '/changes/0/do/0/call order.cancel moves money, but no press of the customer starts it',
    ])
  })

  test.each<[name: string, steps: unknown, more: Partial<CallManifest>, said: string[]]>([
    ['without an amount needs a prompt', [call], {}, [`${press}/0 order.cancel moves money, but at least one path to it has no "confirm"`]],
    ['behind a prompt', [confirm, call], {}, []],
    ['before its prompt', [confirm, call, confirm], {}, [`${press}/2/confirm the prompt comes after order.cancel, which it must confirm`]],
    ['that moves none at once needs no prompt', [call], { unprompted: true }, []],
    ['of operators needs no prompt', [call], { auth: 'operator' }, []],
    [
      'for visitors only is out of reach',
      [confirm, { if: { and: [{ has: 'params.symbol' }, { '!': [{ var: 'session.logged_in' }] }] }, then: [call] }],
      {},
      [`${press}/1/then/0 order.cancel requires a login, but is only reachable without one`],
    ],
    ['that only stores data needs no prompt', [call], { keyed: 'data' }, []],
  ])('%s', (_, steps, more, wanted) => {
    expect(said(steps, more)).toEqual(wanted)
  })
})

describe('circles of enter steps', () => {
  const list = 'schemas/screens/orders/list.json'
  const place = 'schemas/screens/orders/place.json'
  const go = (to: string) => ({ go: to })
  const enter = (file: Change[0], steps: unknown): Change => [file, '/enter', steps]
  const said = (...changes: Change[]) =>
    lintWith(changes)
      .filter(({ check }) => check === 'enter-circles')
      .map(({ file, pointer, severity, message }) => [file, pointer, severity, message])

  test('two screens whose enter steps go to each other are refused', () => {
    expect(said(enter(list, [go('pages/place')]), enter(place, [{ set: { 'state.step': 'x' } }, go('pages/orders')]))).toEqual([
      [place, '/enter/1/go', 'error', '"enter" causes a cycle: orders.place → orders.list → orders.place'],
    ])
  })

  test('a screen that goes to itself is refused', () => {
    expect(said(enter(place, [go('pages/place')]))).toEqual([
      [place, '/enter/0/go', 'error', '"enter" causes a cycle: orders.place → orders.place'],
    ])
  })

  test('a circle with a condition is a warning', () => {
    const guarded = [{ if: { has: 'state.step' }, then: [go('pages/orders')] }]
    expect(said(enter(list, [go('pages/place')]), enter(place, guarded))).toMatchObject([
      [place, '/enter/0/then/0/go', 'warn', expect.stringContaining('exclude each other')],
    ])
  })

  test('a path that ends is no circle', () => {
    expect(said(enter(list, [go('pages/place')]))).toEqual([])
  })
})

describe('fields that can be hidden', () => {
  const form = 'schemas/forms/order.json'
  const hidden: Change = [form, '/fields/0/show', { has: 'state.step' }]
  const v = (path: string) => ({ var: path })
  const rule = (test: unknown, more: object = {}): Change => [
    form,
    '/rules/0',
    { test, message: { $t: 'orders.too_much' }, field: 'amount', ...more },
  ]
  const group: Change = [form, '/groups/0/show', { has: 'state.step' }]

  test.each<[name: string, changes: Change[], said: RegExp[]]>([
    ['a rule of the form', [hidden, rule({ '!==': [v('form.symbol'), 'x'] })], [/^\/rules\/0\/test .*"symbol" can be hidden/]],
    ['a field of a group that can be hidden', [group, rule({ in: [v('form.symbol'), 'x'] })], [/"symbol" can be hidden/]],
    ['a field in brackets', [hidden, rule({ has: 'data.list[form.symbol].id' })], []],
    ['a field tested with has', [hidden, rule({ or: [{ '!': { has: 'form.symbol' } }, { '!==': [v('form.symbol'), 'x'] }] })], []],
    ['a field with a fallback', [hidden, rule({ '!==': [{ var: ['form.symbol', ''] }, 'x'] })], []],
    ['a field that is always shown', [rule({ '!==': [v('form.symbol'), 'x'] })], []],
    [
      'a bound and an argument of a validation',
      [
        hidden,
        rule(true),
        [form, '/fields/1/max', { $: 'form.symbol' }],
        [form, '/fields/1/rules/0/with', { least: { $: { '+': [v('form.symbol'), 1] } } }],
      ],
      [/^\/fields\/1\/max .*"symbol"/, /^\/fields\/1\/rules\/0\/with\/least .*"symbol"/],
    ],
    [
      'a field hidden under the same condition as the field of the rule',
      [
        hidden,
        rule(true),
        [form, '/fields/1/show', { has: 'state.step' }],
        [form, '/fields/1/rules/1/test', { '!==': [v('value'), v('form.symbol')] }],
      ],
      [],
    ],
    [
      'a branch taken while the field is shown',
      [hidden, rule({ if: [{ has: 'state.step' }, { '!==': [v('form.symbol'), 'x'] }, true] })],
      [],
    ],
    [
      'a branch taken while it is hidden, and one with another condition',
      [
        hidden,
        rule({ if: [{ has: 'state.step' }, true, { '!==': [v('form.symbol'), 'x'] }] }),
        [form, '/fields/1/rules/1/test', { if: [{ has: 'data' }, v('form.symbol'), true] }],
      ],
      [/^\/fields\/1\/rules\/1\/test .*"symbol"/, /^\/rules\/0\/test .*"symbol"/],
    ],
    ['an operand after the condition', [hidden, rule({ and: [{ has: 'state.step' }, { '!==': [v('form.symbol'), 'x'] }] })], []],
    [
      'an operand before the condition',
      [hidden, rule({ and: [{ '!==': [v('form.symbol'), 'x'] }, { has: 'state.step' }] })],
      [/"symbol" can be hidden/],
    ],
    ['a warning without a field', [hidden, rule(true, { field: 'symbol', level: 'warn' })], [/^\/rules\/0\/field .*cannot be confirmed/]],
  ])('%s', (_, changes, said) => {
    const found = lintWith(changes).filter(({ check, severity }) => check === 'hidden-fields' && severity === 'warn')
    expect(found.length).toBe(said.length)
    for (const [i, one] of said.entries()) expect(`${found[i]?.pointer} ${found[i]?.message}`).toMatch(one)
  })
})

describe('repeats', () => {
  const list = 'schemas/screens/orders/list.json'
  const each = { $: 'data.orders.list' }
  const inside = (text: unknown, as = 'mine') => [
    {
      id: 'outer',
      widget: 'page',
      repeat: { each, key: 'id', as: 'order' },
      slots: {
        body: [
          {
            id: 'inner',
            widget: 'page',
            repeat: { each, key: 'id', as },
            slots: { body: [{ id: 'say', widget: 'row', props: { title: { $: text } } }] },
          },
        ],
      },
    },
  ]
  const said = (body: unknown) =>
    lintWith([[list, '/body', body]])
      .filter(({ check, file }) => file === list && ['paths', 'repeats', 'expressions'].includes(check))
      .map(({ pointer, message, suggestion }) => [pointer, message, suggestion])

  test('an inner repeat reads the outer row by its name', () => {
    expect(said(inside('row.order.symbol'))).toEqual([])
    expect(said(inside({ cat: [{ var: 'row.mine.symbol' }, { var: 'item.symbol' }] }))).toEqual([])
  })

  test('an unknown row name, an unknown member, a duplicate name', () => {
    const at = '/body/0/slots/body/0/slots/body/0/props/title/$'
    expect(said(inside('row.oder.symbol'))).toEqual([[at, 'there is no "oder" in "row"', 'row.order.symbol']])
    expect(said(inside('row.order.symbl'))).toEqual([[at, 'there is no "symbl" in "row.order"', 'row.order.symbol']])
    expect(said(inside('row.order.symbol', 'order'))).toEqual([
      ['/body/0/slots/body/0/repeat/as', 'an outer repeat already has the name "order"', undefined],
    ])
  })

  test('outside a repeat there is no row', () => {
    const body = [
      { id: 'say', widget: 'page', slots: { body: [{ id: 'row', widget: 'row', props: { title: { $: 'row.order.symbol' } } }] } },
    ]
    expect(said(body)).toEqual([['/body/0/slots/body/0/props/title/$', '"row" is only available inside a repeat', undefined]])
  })

  test('a root that nothing sets is unknown', () => {
    expect(said(inside('event.id'))[0]?.[1]).toMatch(/^"event.id" is neither a path nor a keyword/)
  })
})

describe('levels of the routes of a screen', () => {
  const level = (kyc: number): Change => ['schemas/routes.json', '/routes/pages~1place', { screen: 'orders.place', auth: true, kyc }]
  const shown = (show: unknown): Change => ['schemas/screens/orders/place.json', '/body/1/show', show]
  test.each<[name: string, changes: Change[], said: string[]]>([
    [
      'below that of every route',
      [level(2), shown({ '<': [{ var: 'session.kyc' }, 2] })],
      ['every route to this screen asks for level 2, so nobody of level 1 is here'],
    ],
    ['that customers here have', [level(1), shown({ '<': [{ var: 'session.kyc' }, 2] })], []],
    ['without a level of the routes', [shown({ '<': [{ var: 'session.kyc' }, 1] })], []],
  ])('%s', (_, changes, said) => {
    expect(lintWith(changes).flatMap(({ check, message }) => (check === 'levels-of-routes' ? [message] : []))).toEqual(said)
  })
})
