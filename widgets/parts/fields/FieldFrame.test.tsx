import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fieldStage } from '#widgets/parts/fields/field-fixture.tsx'
import { TextField } from '#widgets/text-field/TextField.tsx'

vi.mock('#renderer/widget-api.ts', async () => (await import('#widgets/parts/fields/field-fixture.tsx')).widgetApi)
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let stage: ReturnType<typeof fieldStage>
beforeEach(() => {
  stage = fieldStage()
})
afterEach(() => stage.end())

test('a plain field is a label and a native control, and nothing else', () => {
  stage.show(TextField, { field: { label: 'E-mail' } })
  expect(stage.box.querySelectorAll('*')).toHaveLength(3)
  expect(stage.find('label').getAttribute('for')).toBe('f')
  expect(stage.find('input').id).toBe('f')
  expect(stage.find('[data-node]').hasAttribute('data-level')).toBe(false)
})

test('hint and problem have the ids that the control is described by', () => {
  stage.show(TextField, { field: { hint: 'Two to ten', problem: { level: 'error', text: 'Too short' } } })
  const input = stage.find('input')
  expect(input.getAttribute('aria-invalid')).toBe('true')
  expect(
    input
      .getAttribute('aria-describedby')!
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent),
  ).toEqual(['Two to ten', 'Too short'])
})

test.each([
  ['error', 'alert', 0],
  ['warn', 'status', 1],
  ['info', 'status', 0],
] as const)('%s is told as %s, with an icon beside the colour, and has %d ticks', (level, role, ticks) => {
  stage.show(TextField, { field: { problem: { level, text: 'Look' } } })
  expect(stage.find('#f-problem').getAttribute('role')).toBe(role)
  expect(stage.find('#f-problem > svg').getAttribute('aria-hidden')).toBe('true')
  expect(stage.box.querySelectorAll('input[type=checkbox]')).toHaveLength(ticks)
})

test('a warning is accepted by its tick, which a disabled field does not take', () => {
  stage.show(TextField, { field: { problem: { level: 'warn', text: 'Sure?' } } })
  act(() => stage.find('input[type=checkbox]').click())
  expect(stage.accepted).toEqual([true])
  stage.show(TextField, { field: { enabled: false, problem: { level: 'warn', text: 'Sure?' } } })
  expect(stage.find<HTMLInputElement>('input[type=checkbox]').disabled).toBe(true)
})

test('required is said by the control and marked for the eye alone', () => {
  stage.show(TextField, { field: { required: true } })
  expect(stage.find('input').getAttribute('aria-required')).toBe('true')
  expect(stage.find('label > span').getAttribute('aria-hidden')).toBe('true')
})

test('clearing empties, keeps the focus and is not offered where nothing may be changed', () => {
  stage.show(TextField, { value: 'ann', props: { clear: true } })
  act(() => stage.button('widget.field_clear Name').click())
  expect(stage.state.value).toBe('')
  expect(stage.find<HTMLInputElement>('input').value).toBe('')
  expect(document.activeElement).toBe(stage.find('input'))
  stage.show(TextField, { props: { clear: true }, field: { enabled: false } })
  expect(stage.box.querySelector('button')).toBeNull()
})

test('an address is not corrected by the phone', () => {
  stage.show(TextField, { props: { inputMode: 'email', autoComplete: 'email' } })
  const input = stage.find<HTMLInputElement>('input')
  expect([input.autocomplete, input.getAttribute('autocapitalize'), input.getAttribute('spellcheck')]).toEqual(['email', 'none', 'false'])
})
