import { describe, expect, test } from 'vitest'
import { afterRemoval, dropAt, freshName, mayStand, placesFor, stepTo, withFreshNames } from '#console/editor/tree/moves.rules.ts'
import { rowsOf, widgetsOf } from '#console/editor/tree/rows.rules.ts'
import { widgets as list, screen } from '#console/editor/tree/tree-fixture.ts'

const widgets = widgetsOf(list)
const rows = rowsOf(screen, widgets)
const row = (name: string) => rows.find((one) => one.name === name)!
const part = '/body/0/slots/body/0/slots/body'

describe('where a step leads', () => {
  test.for([
    ['two', 'up', { list: part, index: 0 }],
    ['one', 'down', { list: part, index: 2 }],
    ['one', 'up', null],
    ['two', 'out', { list: '/body/0/slots/body', index: 1 }],
    ['two', 'in', null],
    ['help', 'in', { list: part, index: 2 }],
    ['help', 'down', { list: '/body/0/slots/foot', index: 0 }],
    ['part', 'up', { list: '/body/0/slots/head', index: 1 }],
    ['page', 'up', null],
    ['page', 'out', null],
    ['head', 'down', null],
  ] as const)('%s %s', ([name, way, place]) => {
    expect(stepTo(screen, rows, widgets, row(name), way)).toEqual(place)
  })
})

describe('what may stand where', () => {
  test.for([
    ['/body/0/slots/foot', 'row', undefined, null],
    ['/body/0/slots/head/0/slots/right', 'row', undefined, null],
    ['/body/0/slots/none', 'row', undefined, 'not_a_list'],
    [part, 'section', '/body/0/slots/body/0', 'inside_itself'],
    ['/nowhere', 'row', undefined, 'not_a_list'],
  ] as const)('%s takes %s from %s: %s', ([place, type, from, refusal]) => {
    expect(mayStand(screen, widgets, place, type, from)).toBe(refusal)
  })

  test('a slot takes only its types, and no more than it holds', () => {
    const doc = {
      body: [
        { id: 't', widget: 'table' },
        { id: 'b', widget: 'nav-bar', slots: { right: [{ id: 'x', widget: 'row' }] } },
      ],
    }
    expect(mayStand(doc, widgets, '/body/0/slots/row', 'row')).toBe('wrong_widget')
    expect(mayStand(doc, widgets, '/body/0/slots/row', 'table-row')).toBe(null)
    expect(mayStand(doc, widgets, '/body/1/slots/right', 'row')).toBe('slot_full')
    expect(mayStand(doc, widgets, '/body/1/slots/right', 'row', '/body/1/slots/right/0')).toBe(null)
  })

  test('fields stay among fields', () => {
    const form = { kind: 'form', fields: [{ name: 'a', widget: 'row' }], body: [] }
    expect(mayStand(form, widgets, '/body', 'row', '/fields/0')).toBe('only_fields')
    expect(mayStand(form, widgets, '/fields', 'row', '/body/0')).toBe('only_fields')
    expect(mayStand(form, widgets, '/fields', 'row', '/fields/0')).toBe(null)
  })
})

test.for([
  ['/body/0', { list: '/body', index: 3 }, { list: '/body', index: 2 }],
  ['/body/2', { list: '/body', index: 1 }, { list: '/body', index: 1 }],
  ['/body/0', { list: '/body/2/slots/body', index: 1 }, { list: '/body/1/slots/body', index: 1 }],
  ['/body/2', { list: '/body/0/slots/body', index: 0 }, { list: '/body/0/slots/body', index: 0 }],
  ['/body/1/slots/a/0', { list: '/body', index: 2 }, { list: '/body', index: 2 }],
] as const)('with %s taken out, %j is %j', ([from, place, after]) => {
  expect(afterRemoval(from, place)).toEqual(after)
})

describe('the frame of a screen with a title', () => {
  const one = { id: 'one', widget: 'text' }
  const titled = { kind: 'screen', id: 'a', title: { $t: 'a.b' }, toolbar: [{ id: 'tool', widget: 'button' }], body: [one] }
  test.each(['/toolbar', '/head', '/foot'])('%s takes nodes', (list) => {
    expect(mayStand(titled, widgets, list, 'text', '/body/0')).toBeNull()
    expect(mayStand({ ...titled, title: undefined }, widgets, list, 'text', '/body/0')).toBe('not_a_list')
  })
  test('a step up from the first node of the body leads into the head', () => {
    const rows = rowsOf(titled, widgets)
    const row = rows.find(({ pointer }) => pointer === '/body/0')!
    expect(stepTo(titled, rows, widgets, row, 'up')).toEqual({ list: '/head', index: 0 })
  })
})

describe('dropping', () => {
  test('on a row goes before or after it, on a slot into it', () => {
    expect(dropAt(screen, widgets, row('two'), row('bar'), false)).toEqual({ list: '/body/0/slots/head', index: 0 })
    expect(dropAt(screen, widgets, row('two'), row('bar'), true)).toEqual({ list: '/body/0/slots/head', index: 1 })
    expect(dropAt(screen, widgets, row('two'), row('foot'), true)).toEqual({ list: '/body/0/slots/foot', index: 0 })
  })
  test('into itself is refused', () => {
    expect(dropAt(screen, widgets, row('part'), row('one'), true)).toBe('inside_itself')
    expect(dropAt(screen, widgets, row('part'), row('demo'), true)).toBe('not_a_list')
  })
})

test('something new goes into an empty slot first, then after, then to the end of a filled one', () => {
  expect(placesFor(screen, widgets, row('bar'))).toEqual([
    { list: '/body/0/slots/head/0/slots/right', index: 0 },
    { list: '/body/0/slots/head', index: 1 },
  ])
  expect(placesFor(screen, widgets, row('part'))).toEqual([
    { list: '/body/0/slots/body', index: 1 },
    { list: part, index: 2 },
  ])
  expect(placesFor(screen, widgets, row('demo'))).toEqual([{ list: '/body', index: 1 }])
})

describe('names of copies', () => {
  test.for([
    ['row', [], 'row'],
    ['row', ['row'], 'row-2'],
    ['row', ['row', 'row-2'], 'row-3'],
    ['row-2', ['row-2'], 'row-3'],
    ['a-9', ['a-9', 'a-10'], 'a-11'],
  ] as const)('%s beside %j is %s', ([wanted, taken, name]) => {
    expect(freshName(wanted, new Set(taken))).toBe(name)
  })

  test.for([
    ['field', ['field'], 'field_2'],
    ['field_2', ['field_2'], 'field_3'],
    ['field-2', ['field-2'], 'field_3'],
  ] as const)('the name %s that formulas read is, beside %j, %s', ([wanted, taken, name]) => {
    expect(freshName(wanted, new Set(taken), '_')).toBe(name)
  })

  test('a copy of a field of a form has a name that formulas can read', () => {
    const form = { kind: 'form', fields: [{ name: 'coin', type: 'string' }] }
    expect(withFreshNames(form.fields[0], form)).toEqual({ name: 'coin_2', type: 'string' })
  })

  test('every node in a copy has an id that the document does not have', () => {
    const copy = withFreshNames(screen.body[0]!.slots.body[0], screen)
    expect(JSON.stringify(copy)).toBe(
      '{"id":"part-2","widget":"section","slots":{"body":[{"id":"one-2","widget":"row"},{"id":"two-2","widget":"row"}]}}',
    )
    expect(screen.body[0]!.slots.body[0]).toMatchObject({ id: 'part' })
  })
})
