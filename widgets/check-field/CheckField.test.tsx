import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CheckField } from '#widgets/check-field/CheckField.tsx'
import { fieldStage } from '#widgets/parts/fields/field-fixture.tsx'
import { SwitchField } from '#widgets/switch-field/SwitchField.tsx'

vi.mock('#renderer/widget-api.ts', async () => (await import('#widgets/parts/fields/field-fixture.tsx')).widgetApi)
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let stage: ReturnType<typeof fieldStage>
const box = () => stage.find<HTMLInputElement>('input')
beforeEach(() => {
  stage = fieldStage()
})
afterEach(() => stage.end())

test('a link in the label says where to, and keeps the label from ticking', () => {
  const field = { label: 'I accept the Terms', required: true }
  stage.show(CheckField, { value: false, field, props: { links: [{ id: 'terms', text: 'Terms' }] } })
  const press = new MouseEvent('click', { bubbles: true, cancelable: true })
  act(() => void stage.button('Terms').dispatchEvent(press))
  expect(press.defaultPrevented).toBe(true)
  expect(stage.events).toEqual([['link', 'terms']])
  expect([box().getAttribute('aria-label'), box().getAttribute('aria-required')]).toEqual(['I accept the Terms', 'true'])
})

test.each([
  ['check', CheckField, null],
  ['switch', SwitchField, 'switch'],
] as const)('a press on the label of a %s turns it', (_, View, role) => {
  stage.show(View, { value: '', field: { label: 'News' } })
  expect([box().getAttribute('role'), box().checked]).toEqual([role, false])
  act(() => stage.find('label').click())
  expect([box().checked, stage.state.value]).toEqual([true, true])
  act(() => box().click())
  expect([box().checked, stage.state.value]).toEqual([false, false])
})

test('closed ones stay as they are', () => {
  stage.show(SwitchField, { value: true, field: { enabled: false } })
  act(() => stage.find('label').click())
  expect([box().checked, stage.state.value]).toEqual([true, true])
})
