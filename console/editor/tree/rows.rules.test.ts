import { describe, expect, test } from 'vitest'
import { rowAt, rowsOf, visibleRows, widgetsOf } from '#console/editor/tree/rows.rules.ts'
import { widgets as list, screen } from '#console/editor/tree/tree-fixture.ts'

const widgets = widgetsOf(list)
const lines = (doc: unknown) => rowsOf(doc, widgets).map((row) => `${'  '.repeat(row.depth)}${row.kind} ${row.name}`)

describe('rows of the tree', () => {
  test('a screen, with every slot of a widget that has several, and children alone where there is one', () => {
    expect(lines(screen)).toEqual([
      'document demo',
      '  node page',
      '    slot head',
      '      node bar',
      '    slot body',
      '      node part',
      '        node one',
      '        node two',
      '      use help',
      '    slot foot',
    ])
  })

  test('what stands in for a state hangs below its node and cannot be moved', () => {
    const doc = {
      kind: 'screen',
      id: 'a',
      body: [{ id: 'n', widget: 'row', states: { empty: { id: 'e', widget: 'text' } }, fallback: { id: 'f', widget: 'text' } }],
    }
    const rows = rowsOf(doc, widgets)
    expect(rows.slice(2).map(({ name, standIn, place, pointer }) => [name, standIn, place, pointer])).toEqual([
      ['e', 'empty', null, '/body/0/states/empty'],
      ['f', 'fallback', null, '/body/0/fallback'],
    ])
  })

  test('fragments are told apart by their name at the place and by what they are given to say', () => {
    const notice = (as: string | undefined, text: unknown) => ({ use: 'notice', ...(as && { as }), with: { show: { $: 'data.a' }, text } })
    const doc = { kind: 'screen', id: 'a', body: [notice('held', { $t: 'a.held' }), notice(undefined, 'Now')] }
    expect(rowsOf(doc, widgets).flatMap(({ kind, name, as, words }) => (kind === 'use' ? [[name, as, words]] : []))).toEqual([
      ['notice', 'held', { $t: 'a.held' }],
      ['notice', null, 'Now'],
    ])
  })

  test('a screen with a title, with the lists of its frame, also those that are empty', () => {
    const [tool, row] = [
      { id: 'tool', widget: 'row' },
      { id: 'one', widget: 'row' },
    ]
    expect(lines({ kind: 'screen', id: 'a', title: { $t: 'a.b' }, toolbar: [tool], body: [row] })).toEqual([
      'document a',
      '  slot toolbar',
      '    node tool',
      '  slot head',
      '  slot body',
      '    node one',
      '  slot foot',
    ])
  })

  test('fields of a form', () => {
    const doc = { kind: 'form', id: 'f', fields: [{ name: 'amount', widget: 'decimal-field', label: { $t: 'a.b' }, show: false }] }
    expect(rowsOf(doc, widgets)[1]).toMatchObject({
      kind: 'field',
      name: 'amount',
      type: 'decimal-field',
      pointer: '/fields/0',
      flags: ['never'],
    })
  })

  test.for([
    [{ show: { var: 'state.a' } }, ['conditional']],
    [{ show: false }, ['never']],
    [{ show: true }, []],
    [{ enable: { var: 'state.a' }, critical: true }, ['gated', 'critical']],
    [{ repeat: { each: { $: 'data.a' }, key: 'id' } }, ['repeats']],
  ] as const)('flags of %j', ([more, flags]) => {
    expect(rowsOf({ kind: 'screen', id: 'a', body: [{ id: 'n', widget: 'row', ...more }] }, widgets)[1]?.flags).toEqual(flags)
  })

  test.for([null, 3, 'text', [], {}, { body: 3 }, { kind: 'form', fields: {} }, { body: [null, 1, 'a'] }])('never throws on %j', (doc) => {
    expect(() => rowsOf(doc, widgets)).not.toThrow()
  })

  test('a folded row hides what is below it and nothing else', () => {
    const shown = visibleRows(rowsOf(screen, widgets), new Set(['/body/0/slots/body']))
    expect(shown.map(({ name }) => name)).toEqual(['demo', 'page', 'head', 'bar', 'body', 'foot'])
  })

  test.for([
    ['/body/0/slots/head/0/props/title', 'bar'],
    ['/body/0/slots/body/0/slots/body/1', 'two'],
    ['/data/info/call', 'demo'],
    ['/body/0/slots/foot', 'foot'],
  ])('a problem at %s belongs to %s', ([pointer, name]) => {
    expect(rowAt(rowsOf(screen, widgets), pointer as string)?.name).toBe(name)
  })
})
