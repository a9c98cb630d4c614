import { describe, expect, test } from 'vitest'
import type { FragmentDoc, ScreenDoc, UseDoc } from '#language/documents/documents.ts'
import { inline } from '#language/documents/inline.ts'
import { parse } from '#language/documents/parse.ts'

/** Fragments with names of their own, as files have them. */
const written = [
  {
    kind: 'fragment',
    id: 'period-filter',
    format: 2,
    params: { show: { type: 'boolean', default: true } },
    state: { from: null },
    body: [{ id: 'range', widget: 'date-range', bind: { from: 'state.from' }, show: 'params.show' }],
  },
  {
    kind: 'fragment',
    id: 'rows',
    format: 2,
    params: {
      call: { type: 'string' },
      args: { type: 'record' },
      clear: { type: 'record' },
      chosen: { type: 'string' },
      period: { type: 'boolean', default: true },
      export: { type: 'string' },
      everyMs: { type: 'integer' },
    },
    state: { open: null },
    data: {
      list: {
        call: '= params.call',
        args: { '*': '= params.args', from: '= if(params.period, state.period_filter_from, null)' },
        when: 'has(data.list.total) or params.period',
        pages: true,
        everyMs: '= params.everyMs',
      },
    },
    actions: { export: [{ export: '= params.export' }], clear: [{ set: { '*': '= params.clear', 'state.period_filter_from': null } }] },
    toolbar: [{ id: 'export', widget: 'button', show: 'has(params.export)', on: { press: 'export' } }],
    head: [{ slot: 'filters' }, { use: 'period-filter', with: { show: '= params.period' } }],
    body: [
      {
        id: 'list',
        widget: 'list',
        props: { one: '= data.list.rows[state.open]', note: '= params.export' },
        on: { end: [{ more: 'list' }, { refresh: ['list', 'other'] }], press: [{ open: 'sheet' }], pick: 'clear' },
        slots: { row: [{ slot: 'row', repeat: { each: 'data.list.rows', key: 'id' } }] },
      },
      {
        id: 'sheet',
        widget: 'sheet',
        show: 'not params.period or has(state.open)',
        on: { change: [{ set: { 'state.open': '= value', 'params.chosen': '= value' } }] },
      },
    ],
  },
]
const read = <Doc>(docs: readonly object[]): Doc[] => {
  const { documents, problems } = parse(docs.map((doc, i) => ({ file: `${i}.json`, text: JSON.stringify(doc) })))
  expect(problems).toEqual([])
  return documents.map(({ doc }) => doc as unknown as Doc)
}
const fragments = new Map(read<FragmentDoc>(written).map((doc) => [doc.id, doc]))
const row = { id: 'row', widget: 'row', props: { title: '= item.id', mine: '= state.open' } }
const use = { use: 'rows', with: { call: 'order.list', chosen: '= state.chosen' }, slots: { row: [row] } }
const made = (more: object, body: object[] = [use]) => {
  const [doc] = read<ScreenDoc>([{ kind: 'screen', id: 'x', format: 2, state: { chosen: null, open: 1 }, body, ...more }]) as [ScreenDoc]
  const inlined = inline(doc, { fragments, forms: new Map(), how: 'expressions' })
  return { doc: inlined.doc as ScreenDoc, said: inlined.problems.map(({ pointer, message }) => `${pointer} ${message}`) }
}
const given = (values: object): object[] => [{ ...use, with: { ...use.with, ...values } }]

describe('the names of a use', () => {
  test('state, sources and actions are among those of the screen, under the name of the use', () => {
    const { doc, said } = made({}, given({ export: 'order.export', args: { status: 'open' } }))
    expect(said).toEqual([])
    expect(doc.state).toEqual({ chosen: null, open: 1, rows_open: null, rows_period_filter_from: null })
    expect(doc.data).toEqual({
      rows_list: {
        call: 'order.list',
        args: { status: 'open', from: { $: 'state.rows_period_filter_from' } },
        pages: true,
      },
    })
    expect(doc.actions).toEqual({
      rows_export: [{ export: 'order.export' }],
      rows_clear: [{ set: { 'state.rows_period_filter_from': null } }],
    })
    const [exported, range, list, sheet] = doc.body
    expect(exported).toMatchObject({ id: 'export', show: true, on: { press: 'rows_export' } })
    expect(range).toMatchObject({
      props: { from: { $: 'state.rows_period_filter_from' } },
      on: { from: [{ set: { 'state.rows_period_filter_from': { $: 'value' } } }] },
    })
    expect(list).toMatchObject({
      props: { one: { $: 'data.rows_list.rows[state.rows_open]' } },
      on: { end: [{ more: 'rows_list' }, { refresh: ['rows_list', 'other'] }], press: [{ open: 'sheet' }], pick: 'rows_clear' },
    })
    expect(sheet).toMatchObject({ on: { change: [{ set: { 'state.rows_open': { $: 'value' }, 'state.chosen': { $: 'value' } } }] } })
  })

  test('a list that has no push is polled as often as its use says', () => {
    expect(made({}, given({ everyMs: 30_000 })).doc.data).toMatchObject({ rows_list: { call: 'order.list', everyMs: 30_000 } })
    expect(made({}).doc.data?.rows_list).not.toHaveProperty('everyMs')
  })

  test('the content of a slot keeps the names of its document, and the fragment repeats it', () => {
    const [, list] = made({}).doc.body as { slots?: object }[]
    const repeat = { each: { $: 'data.rows_list.rows' }, key: 'id' }
    expect(list?.slots).toEqual({ row: [{ ...row, props: { title: { $: 'item.id' }, mine: { $: 'state.open' } }, repeat }] })
  })

  test('"as" gives another use its own names, ids and sheet', () => {
    const { doc, said } = made({}, [use, { ...use, as: 'old' }] as unknown as object[])
    expect(said).toEqual([])
    expect(Object.keys(doc.state ?? {})).toEqual([
      'chosen',
      'open',
      'rows_open',
      'rows_period_filter_from',
      'old_open',
      'old_period_filter_from',
    ])
    expect(Object.keys(doc.data ?? {})).toEqual(['rows_list', 'old_list'])
    expect(doc.body.map((node) => (node as { id: string }).id)).toEqual(['range', 'list', 'sheet', 'old-range', 'old-list', 'old-sheet'])
    expect(doc.body[4]).toMatchObject({ on: { press: [{ open: 'old-sheet' }] } })
  })
})

describe('parameters decide when a document is published', () => {
  test('an absent call, argument, prop and action are left out, and so is a node that never shows', () => {
    const { doc, said } = made({}, given({ call: undefined, period: false }))
    expect(said).toEqual([])
    expect(doc.data).toBeUndefined()
    expect(Object.keys(doc.actions ?? {})).toEqual(['rows_clear'])
    expect(doc.body).toMatchObject([
      { id: 'list', props: { one: {} } },
      { id: 'sheet', show: true },
    ])
    expect(JSON.stringify(doc.body)).not.toContain('note')
    expect(made({}, given({ period: false })).doc.data).toEqual({
      rows_list: { call: 'order.list', args: {}, when: { has: 'data.rows_list.total' }, pages: true },
    })
  })

  test('paths of a record are those of the document that gives it', () => {
    const { doc } = made({}, given({ clear: { 'state.open': null } }))
    expect(doc.actions?.rows_clear).toEqual([{ set: { 'state.open': null, 'state.rows_period_filter_from': null } }])
  })
})

describe('the bar', () => {
  test('toolbar and head go to a screen with a title, and before the body inside a node', () => {
    const filter = { id: 'filter', widget: 'button' }
    const exporting = { ...use, with: { ...use.with, export: 'order.export' }, slots: { ...use.slots, filters: [filter] } }
    const title = '@a.b'
    const own = { id: 'own', widget: 'button' }
    const { doc } = made({ title, toolbar: [own], head: [{ ...own, id: 'above' }] }, [exporting])
    expect(doc.body).toMatchObject([
      {
        slots: {
          head: [{ id: 'bar', slots: { right: [{ id: 'own' }, { id: 'export' }] } }, { id: 'above' }, { id: 'filter' }, { id: 'range' }],
          body: [{ id: 'list' }, { id: 'sheet' }],
        },
      },
    ])
    const inside = made({ title }, [{ id: 'group', widget: 'section', slots: { body: [exporting] } }]).doc.body
    const ids = ['export', 'filter', 'range', 'list', 'sheet'].map((id) => ({ id }))
    expect(inside).toMatchObject([{ slots: { head: [{ id: 'bar' }], body: [{ slots: { body: ids } }] } }])
  })
})

const refused: [string, object, object[], RegExp][] = [
  [
    'a second use without a name',
    {},
    [use, use],
    /"state.rows_open" of the fragment "rows" is there already: give the use a name with "as"/,
  ],
  ['a state of the screen with the name', { state: { chosen: null, rows_open: 1 } }, [use], /^\/body\/0 "state.rows_open" .* already/],
  ['a source of the screen with the name', { data: { rows_list: { call: 'order.list' } } }, [use], /"data.rows_list" .* already/],
  ['a parameter that names no path', {}, given({ chosen: 'state.chosen' }), /is no value of state, form or device that could be set/],
  ['a computed path', {}, given({ chosen: '= state.chosen ?? 1' }), /is no value of state/],
  ['a path that cannot be set', {}, given({ chosen: '= session.kyc' }), /"session.kyc" is no value of state/],
  ['computed members', {}, given({ args: '= data.x' }), /the members of "\*" must be written out/],
  ['a record with another path', {}, given({ clear: { 'session.kyc': 1 } }), /"session.kyc" is no value/],
  [
    'a use in a repeat',
    {},
    [{ id: 'n', widget: 'section', repeat: { each: 'data.x', key: 'id' }, slots: { body: [use as unknown as UseDoc] } }],
    /which the rows of a repeat would share/,
  ],
]
test.each(refused)('refused: %s', (_, more, body, message) => {
  expect(made(more, body).said).toEqual(expect.arrayContaining([expect.stringMatching(message)]))
})

test('rows that a source of a fragment sends read the values of the use', () => {
  const send = { call: 'chat.send', id: 'client', optimistic: { name: '= params.name', text: '= value.text' } }
  const [talk] = read<FragmentDoc>([
    {
      kind: 'fragment',
      id: 'talk',
      format: 2,
      params: { name: { type: 'string' } },
      data: { said: { call: 'chat.messages', send } },
      body: [{ id: 'list', widget: 'message-list', props: { messages: '= data.said.list' } }],
    },
  ]) as [FragmentDoc]
  const body = [{ use: 'talk', with: { name: 'Ann' } }]
  const [doc] = read<ScreenDoc>([{ kind: 'screen', id: 'x', format: 2, body }]) as [ScreenDoc]
  const inlined = inline(doc, { fragments: new Map([['talk', talk]]), forms: new Map(), how: 'expressions' })
  expect((inlined.doc as ScreenDoc).data).toEqual({
    talk_said: { call: 'chat.messages', send: { call: 'chat.send', id: 'client', optimistic: { name: 'Ann', text: { $: 'value.text' } } } },
  })
})
