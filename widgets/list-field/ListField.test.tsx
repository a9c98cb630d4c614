import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ListField } from '#widgets/list-field/ListField.tsx'
import { fieldStage } from '#widgets/parts/fields/field-fixture.tsx'

vi.mock('#renderer/widget-api.ts', async () => (await import('#widgets/parts/fields/field-fixture.tsx')).widgetApi)
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let stage: ReturnType<typeof fieldStage>
const inputs = () => [...stage.box.querySelectorAll<HTMLInputElement>('input')]
const texts = () => inputs().map((input) => input.value)
beforeEach(() => {
  stage = fieldStage()
})
afterEach(() => stage.end())

test('Enter adds below and goes there; empty entries are not in the value', () => {
  stage.show(ListField, { value: ['a', 'b'] })
  stage.key('Enter', inputs()[0]!)
  expect(texts()).toEqual(['a', '', 'b'])
  expect(document.activeElement).toBe(inputs()[1])
  expect(stage.state.value).toEqual(['a', 'b'])
  stage.type(' c ', 'insertText', inputs()[1])
  expect(stage.state.value).toEqual(['a', 'c', 'b'])
})

test('Alt and arrows move, the focus goes along, the ends hold', () => {
  stage.show(ListField, { value: ['a', 'b', 'c'] })
  stage.key('ArrowDown', inputs()[0]!, { altKey: true })
  expect(stage.state.value).toEqual(['b', 'a', 'c'])
  expect(document.activeElement).toBe(inputs()[1])
  stage.key('ArrowUp', inputs()[0]!, { altKey: true })
  stage.key('ArrowUp', inputs()[2]!)
  expect(stage.state.value).toEqual(['b', 'a', 'c'])
})

test('Backspace takes away an empty entry and no other', () => {
  stage.show(ListField, { value: ['a'] })
  stage.key('Backspace', inputs()[0]!)
  expect(texts()).toEqual(['a'])
  stage.key('Enter', inputs()[0]!)
  stage.key('Backspace', inputs()[1]!)
  expect(texts()).toEqual(['a'])
})

test('buttons are named by their entry, and only those that can do something are open', () => {
  stage.show(ListField, { value: ['a', 'b'], props: { max: 2 }, field: { label: 'Tag' } })
  expect(stage.button('widget.list_up widget.list_entry Tag 1').disabled).toBe(true)
  expect(stage.button('widget.list_add').disabled).toBe(true)
  act(() => stage.button('widget.list_remove widget.list_entry Tag 1').click())
  expect(stage.state.value).toEqual(['b'])
  expect(stage.button('widget.list_add').disabled).toBe(false)
})

test('with options each place picks one that stands nowhere else, and what is no option is not lost', () => {
  const options = [
    { id: 1, label: 'BTC' },
    { id: 2, label: 'ETH' },
  ]
  stage.show(ListField, { value: [2], props: { options } })
  const selects = () => [...stage.box.querySelectorAll('select')]
  const offered = (at: number) => [...selects()[at]!.options].map(({ text }) => text)
  expect(inputs()).toEqual([])
  expect(offered(0)).toEqual(['BTC', 'ETH'])
  act(() => stage.button('widget.list_add').click())
  expect(document.activeElement).toBe(selects()[1])
  expect(offered(1)).toEqual(['widget.pick', 'BTC'])
  expect([stage.state.value, stage.button('widget.list_add').disabled]).toEqual([[2], true])
  act(() => {
    selects()[1]!.value = '1'
    selects()[1]!.dispatchEvent(new Event('change', { bubbles: true }))
  })
  expect(stage.state.value).toEqual([2, 1])
  act(() => stage.button('widget.list_up widget.list_entry Name 2').click())
  expect(stage.state.value).toEqual([1, 2])
  stage.show(ListField, { value: ['gone'], props: { options } })
  expect([selects()[0]!.value, stage.state.value]).toEqual(['gone', ['gone']])
})

test('shows what the form puts back', () => {
  stage.show(ListField, { value: ['a'] })
  stage.type('x', 'insertText', inputs()[0])
  stage.show(ListField, { value: ['a', 'b'] })
  expect(texts()).toEqual(['a', 'b'])
})
