import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DecimalField } from '#widgets/decimal-field/DecimalField.tsx'
import { fieldStage } from '#widgets/parts/fields/field-fixture.tsx'
import { asText } from '#widgets/parts/fields/fieldValue.ts'

vi.mock('#renderer/widget-api.ts', async () => (await import('#widgets/parts/fields/field-fixture.tsx')).widgetApi)
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let stage: ReturnType<typeof fieldStage>
const input = () => stage.find<HTMLInputElement>('input')
beforeEach(() => {
  stage = fieldStage()
})
afterEach(() => stage.end())

test.each([
  ['1', '1,', '1.'],
  ['1.5', '1.5e', '1.5'],
  ['1.5', '-1.5', '1.5'],
  ['1.25', '1.255', '1.25'],
  ['1', '1.5', '1.5'],
])('from %j, %j stands as %j in the control and in the form', (before, typed, stands) => {
  stage.show(DecimalField, { value: before, props: { step: '0.01' } })
  stage.type(typed)
  expect(input().value).toBe(stands)
  expect(stage.state.value).toBe(stands)
})

test('wide digits of an input method are left to it while it composes, and stand as usual ones after it', () => {
  stage.show(DecimalField, { value: '1', props: { step: '0.01' } })
  expect(stage.compose('1２', '1２．', '1２．５')).toEqual(['1２', '1２．', '1２．５'])
  expect([input().value, stage.state.value]).toEqual(['12.5', '12.5'])
  stage.compose('12.5か')
  expect([input().value, stage.state.value]).toEqual(['12.5', '12.5'])
})

test('an unclear paste is refused and said; the next key takes the words away', () => {
  stage.show(DecimalField, { value: '7' })
  stage.insert('1,234', { type: 'insertFromPaste', from: 0, to: 1 })
  expect(input().value).toBe('7')
  expect(stage.state.value).toBe('7')
  expect(stage.box.textContent).toContain('widget.field_paste_refused')
  stage.type('75')
  expect(stage.box.textContent).not.toContain('widget.field_paste_refused')
})

test('where a dot groups digits, a pasted one before three digits is unclear', () => {
  stage.show(DecimalField, { value: '7', tag: 'es' })
  stage.insert('12.345', { type: 'insertFromPaste', from: 0, to: 1 })
  expect([input().value, stage.state.value]).toEqual(['7', '7'])
  expect(stage.box.textContent).toContain('widget.field_paste_refused')
  for (const key of ['1', '12', '12.', '12.3', '12.34', '12.345']) stage.type(key)
  expect([stage.state.value, stage.box.textContent!.includes('widget.field_paste_refused')]).toEqual(['12.345', false])
})

test.each<[how: string, tag: string, before: string, text: string, from: number, to: number, stands: string]>([
  ['insertText', 'en', '', '1,234', 0, 0, ''],
  ['insertReplacementText', 'en', '7', '1,234', 0, 1, '7'],
  ['insertFromDrop', 'en', '7', '1,234', 1, 1, '7'],
  ['insertFromPaste', 'en', '5', '1,234', 0, 0, '5'],
  ['insertFromPaste', 'en', '1', '1,234', 0, 0, '1'],
  ['insertFromPaste', 'en', '5', '50,000.00', 0, 1, '50000.00'],
  ['insertText', 'en', '', '0,125', 0, 0, '0.125'],
  ['insertText', 'es', '', '50.000,00', 0, 0, '50000.00'],
  ['insertText', 'fr', '', '50\u202f000,00', 0, 0, '50000.00'],
  ['insertText', 'en', '2', '.5', 1, 1, '2.5'],
  ['insertText', 'en', '', '１２．５', 0, 0, '12.5'],
  ['insertText', 'th', '', '๑๒', 0, 0, '12'],
])('%s in %s: into %j, %j at %d to %d stands as %j', (type, tag, before, text, from, to, stands) => {
  stage.show(DecimalField, { value: before, tag })
  stage.insert(text, { type, from, to })
  expect([input().value, asText(stage.state.value), stage.box.textContent!.includes('widget.field_paste_refused')]).toEqual([
    ...[stands, stands],
    stands === before,
  ])
})

test('a password manager, which tells of no selection, is judged as well', () => {
  stage.show(DecimalField, { value: '7' })
  stage.type('1,234', '')
  expect([input().value, stage.state.value]).toEqual(['7', '7'])
})

test('an input method that gives a whole word is judged as a paste, one that composes sign by sign as keys', () => {
  stage.show(DecimalField, { value: '7' })
  stage.compose('71,234')
  expect([input().value, stage.state.value]).toEqual(['7', '7'])
  expect(stage.box.textContent).toContain('widget.field_paste_refused')
  stage.compose('7，', '7，2', '7，25')
  expect([input().value, stage.state.value]).toEqual(['7.25', '7.25'])
  expect(stage.box.textContent).not.toContain('widget.field_paste_refused')
})

test('leaving finishes what was typed, and says that it was left', () => {
  stage.show(DecimalField, { value: '' })
  stage.type('.5')
  act(() => input().dispatchEvent(new FocusEvent('focusout', { bubbles: true })))
  expect([input().value, stage.state.value, stage.state.left]).toEqual(['0.5', '0.5', 1])
})

test('arrows and buttons step exactly; the ends do nothing', () => {
  stage.show(DecimalField, { value: '0.1', props: { step: '0.1', max: '0.3', stepper: true } })
  stage.key('ArrowUp', input())
  expect(stage.state.value).toBe('0.2')
  act(() => stage.button('widget.field_more Name').click())
  act(() => stage.button('widget.field_more Name').click())
  expect(stage.state.value).toBe('0.3')
  act(() => stage.button('widget.field_less Name').click())
  expect([stage.state.value, input().value]).toEqual(['0.2', '0.2'])
})

test('max enters the greatest multiple, never more', () => {
  stage.show(DecimalField, { value: '', props: { step: '0.01', max: '1250.507', max_button: true, unit: 'USDT' } })
  act(() => stage.button('widget.field_most_of Name').click())
  expect(stage.state.value).toBe('1250.5')
  expect(document.activeElement).toBe(input())
})

test('a balance that a rule speaks of is entered where no max binds', () => {
  stage.show(DecimalField, { value: '', props: { step: '0.01', most: '99.999', max_button: true } })
  act(() => stage.button('widget.field_most_of Name').click())
  expect(stage.state.value).toBe('99.99')
})

test('without a step arrows move nothing, and the buttons of a closed field are closed', () => {
  stage.show(DecimalField, { value: '1', props: { stepper: true, max_button: true } })
  stage.key('ArrowUp', input())
  expect(stage.state.value).toBe('1')
  expect(stage.box.querySelector('button')).toBeNull()
  stage.show(DecimalField, { value: '1', props: { step: '1', max: '5', stepper: true, max_button: true }, field: { enabled: false } })
  expect([...stage.box.querySelectorAll('button')].map((one) => [one.getAttribute('aria-label'), one.disabled])).toEqual([
    ['widget.field_less Name', true],
    ['widget.field_more Name', true],
  ])
})

test('the phone shows digits and a dot', () => {
  stage.show(DecimalField)
  expect([input().type, input().inputMode]).toEqual(['text', 'decimal'])
})
