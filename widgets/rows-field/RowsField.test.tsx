import { act, useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RowsHandle } from '#renderer/widget-api.ts'
import { fieldStage } from '#widgets/parts/fields/field-fixture.tsx'
import { rowsFieldOf } from '#widgets/rows-field/RowsField.tsx'

vi.mock('#renderer/widget-api.ts', async () => (await import('#widgets/parts/fields/field-fixture.tsx')).widgetApi)
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let start: readonly string[] = []
/** Rows of one plain input each, as the form would keep them. */
function useRows(): RowsHandle {
  const [keys, setKeys] = useState(start)
  return {
    rows: keys.map((key) => ({ key, cells: [<input key={key} id={key} data-cell="" defaultValue={key} />] })),
    add: () => setKeys([...keys, `new${keys.length}`]),
    remove: (at) => setKeys(keys.toSpliced(at, 1)),
    move: (from, to) => setKeys(keys.toSpliced(from, 1).toSpliced(to, 0, keys[from] ?? '')),
    focus: (at) => document.querySelectorAll<HTMLInputElement>('[data-cell]')[at]?.focus(),
  }
}
const RowsField = rowsFieldOf(useRows)

let stage: ReturnType<typeof fieldStage>
const cells = () => [...stage.box.querySelectorAll<HTMLInputElement>('[data-cell]')].map(({ id }) => id)
const focused = () =>
  document.activeElement?.id || document.activeElement?.getAttribute('aria-label') || document.activeElement?.textContent
const said = () => stage.box.querySelector('[role=status]')?.textContent
const press = (name: string) => act(() => stage.button(name).click())
const open = (rows: readonly string[], props: object = {}) => {
  start = rows
  stage.show(RowsField, { props, field: { label: 'Exit' } })
}
beforeEach(() => {
  stage = fieldStage()
})
afterEach(() => stage.end())

test('a row that is added gets the focus', () => {
  open(['a'])
  press('widget.list_add')
  expect([cells(), focused()]).toEqual([['a', 'new1'], 'new1'])
})

test.each([
  ['the next', 0, ['b', 'c'], 'b'],
  ['the one before, after the last', 2, ['a', 'b'], 'b'],
])('after a row is removed the focus is in %s', (_, at, left, focus) => {
  open(['a', 'b', 'c'])
  press(`widget.list_remove widget.list_entry Exit ${at + 1}`)
  expect([cells(), focused(), said()]).toEqual([left, focus, `widget.list_removed ${at + 1}`])
})

test('without rows it is on the button that adds one', () => {
  open(['a'], { none: 'Nothing yet' })
  press('widget.list_remove widget.list_entry Exit 1')
  expect([cells(), focused()]).toEqual([[], 'f'])
  expect(stage.box.textContent).toContain('Nothing yet')
})

test('a button moves its row and keeps the focus; at the end the row has it', () => {
  open(['a', 'b', 'c'])
  press('widget.list_down widget.list_entry Exit 1')
  expect([cells(), focused(), said()]).toEqual([['b', 'a', 'c'], 'widget.list_down widget.list_entry Exit 2', 'widget.list_moved 2'])
  press('widget.list_down widget.list_entry Exit 2')
  expect([cells(), focused()]).toEqual([['b', 'c', 'a'], 'a'])
})

test('Alt and an arrow move the row of the focus, which stays where one types; the ends hold', () => {
  open(['a', 'b'])
  const input = stage.find<HTMLInputElement>('#b')
  act(() => input.focus())
  stage.key('ArrowUp', input, { altKey: true })
  expect([cells(), focused()]).toEqual([['b', 'a'], 'b'])
  stage.key('ArrowUp', stage.find('#b'), { altKey: true })
  stage.key('ArrowDown', stage.find('#b'))
  expect(cells()).toEqual(['b', 'a'])
})

test('at least and at most: what cannot be done is closed', () => {
  open(['a', 'b'], { min: 2, max: 2 })
  expect([stage.button('widget.list_add').disabled, stage.button('widget.list_remove widget.list_entry Exit 1').disabled]).toEqual([
    true,
    true,
  ])
})

test('rows without an order have no buttons to move them, and no keys', () => {
  open(['a', 'b'], { fixed: true, item: 'Day', add: 'Add a day' })
  expect([...stage.box.querySelectorAll('button')].map((one) => one.getAttribute('aria-label') ?? one.textContent)).toEqual([
    'widget.list_remove widget.list_entry Day 1',
    'widget.list_remove widget.list_entry Day 2',
    'Add a day',
  ])
  stage.key('ArrowDown', stage.find('#a'), { altKey: true })
  expect(cells()).toEqual(['a', 'b'])
})
