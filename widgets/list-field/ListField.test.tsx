// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ListField } from '#widgets/list-field/ListField.tsx'
import { fieldStage } from '#widgets/parts/field-fixture.tsx'

vi.mock('#renderer/widget-api.ts', async () => (await import('#widgets/parts/field-fixture.tsx')).door)
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

test('shows what the form puts back', () => {
  stage.show(ListField, { value: ['a'] })
  stage.type('x', 'insertText', inputs()[0])
  stage.show(ListField, { value: ['a', 'b'] })
  expect(texts()).toEqual(['a', 'b'])
})
