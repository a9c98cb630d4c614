import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fieldStage } from '#widgets/parts/fields/field-fixture.tsx'
import { SliderField } from '#widgets/slider-field/SliderField.tsx'

vi.mock('#renderer/widget-api.ts', async () => (await import('#widgets/parts/fields/field-fixture.tsx')).widgetApi)
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let stage: ReturnType<typeof fieldStage>
const track = () => stage.find<HTMLInputElement>('input[type=range]')
const box = () => stage.find<HTMLInputElement>('input:not([type=range])')
const balance = { percent: true, most: '1250.507', step: '0.01', unit: 'USDT' }
beforeEach(() => {
  stage = fieldStage()
})
afterEach(() => stage.end())

const slide = (place: number) => stage.type(String(place), 'insertText', track())
const pressed = () => [...stage.box.querySelectorAll('button[aria-pressed=true]')].map((one) => one.textContent)

test('a finger gives exact multiples of the step, as text', () => {
  stage.show(SliderField, { value: '', props: balance })
  slide(250)
  expect(stage.state.value).toBe('312.62')
  slide(1_000)
  expect(stage.state.value).toBe('1250.5')
  slide(0)
  expect(stage.state.value).toBe('0')
})

test('nothing is entered until somebody does', () => {
  stage.show(SliderField, { value: '', props: balance })
  expect([stage.state.value, track().value, stage.find('output').textContent]).toEqual(['', '0', '–'])
  expect(track().getAttribute('aria-valuetext')).toBe('widget.slider_unset')
  expect(pressed()).toEqual([])
})

test('what is read and heard is the value with its unit, and its share', () => {
  stage.show(SliderField, { value: '312.62', props: balance })
  expect(stage.find('output').textContent).toBe('312.62 USDT25%')
  expect(track().getAttribute('aria-valuetext')).toBe('312.62 USDT, 25%')
})

test('a stop is pressed, and shows that it is the value', () => {
  stage.show(SliderField, { value: '1', props: balance })
  act(() => stage.button('widget.slider_stop Name 75%').click())
  expect(stage.state.value).toBe('937.88')
  expect(pressed()).toEqual(['75%'])
  expect([...stage.box.querySelectorAll('button')].map((one) => one.textContent)).toEqual(['0%', '25%', '50%', '75%', '100%'])
})

test.each([
  ['ArrowRight', '11'],
  ['ArrowLeft', '9'],
  ['PageUp', '25'],
  ['PageDown', '1'],
  ['Home', '1'],
  ['End', '125'],
  ['Tab', '10'],
])('%s on 10 of 1 to 125 enters %s', (key, value) => {
  stage.show(SliderField, { value: '10', props: { min: 1, max: 125, step: 1, stops: ['1', '25', '125'] } })
  stage.key(key, track())
  expect(stage.state.value).toBe(value)
})

test('keys with a modifier belong to the browser', () => {
  stage.show(SliderField, { value: '10', props: { min: 1, max: 125 } })
  stage.key('ArrowRight', track(), { altKey: true })
  expect(stage.state.value).toBe('10')
})

test('a typed value moves the thumb, and the thumb writes into the box', () => {
  stage.show(SliderField, { value: '', props: { ...balance, entry: true } })
  box().focus()
  stage.type('625.25', 'insertText', box())
  expect([stage.state.value, track().value]).toEqual(['625.25', '500'])
  expect(stage.find('output').textContent).toBe('50%')
  slide(1_000)
  expect([stage.state.value, box().value]).toEqual(['1250.5', '1250.5'])
  stage.type('1250.509', 'insertText', box())
  expect(stage.state.value).toBe('1250.5')
})

test('buttons beside the box go by a step, and not beyond the end of the track', () => {
  stage.show(SliderField, { value: '123', props: { min: 1, max: 200, most: '125', step: 1, entry: true, stepper: true } })
  for (let i = 0; i < 4; i++) act(() => stage.button('widget.field_more Name').click())
  expect([stage.state.value, box().value, track().value]).toEqual(['125', '125', '124'])
  act(() => stage.button('widget.field_less Name').click())
  expect([stage.state.value, track().value]).toEqual(['124', '123'])
})

test.each<[string, object, object]>([
  ['nothing to give', { ...balance, most: '0' }, {}],
  ['a balance that has not come', { ...balance, most: undefined }, {}],
  ['closed by the form', balance, { enabled: false }],
])('%s: neither the track nor a stop can be used', (_, props, field) => {
  stage.show(SliderField, { value: '', props, field })
  expect(track().disabled).toBe(true)
  expect([...stage.box.querySelectorAll('button')].every((one) => one.disabled)).toBe(true)
  stage.key('End', track())
  expect(stage.state.value).toBe('')
})

test('leaving the track tells the form', () => {
  stage.show(SliderField, { value: '5', props: { max: 10 } })
  act(() => void track().dispatchEvent(new FocusEvent('focusout', { bubbles: true })))
  expect(stage.state.left).toBe(1)
  expect(stage.state.focus).toBe(track())
})
