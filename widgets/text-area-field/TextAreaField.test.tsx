import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fieldStage } from '#widgets/parts/fields/field-fixture.tsx'
import { TextAreaField } from '#widgets/text-area-field/TextAreaField.tsx'

vi.mock('#renderer/widget-api.ts', async () => (await import('#widgets/parts/fields/field-fixture.tsx')).widgetApi)
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let stage: ReturnType<typeof fieldStage>
beforeEach(() => {
  stage = fieldStage()
})
afterEach(() => stage.end())

test('counts, speaks near the end, and keeps what is too much', () => {
  stage.show(TextAreaField, { value: '', props: { maxLength: 10 } })
  const said = () => stage.find('[role=status]').textContent
  stage.type('12345')
  expect([stage.box.textContent!.includes('5/10'), said()]).toEqual([true, ''])
  stage.type('123456789')
  expect(said()).toBe('widget.field_count 9 10')
  stage.type('123456789012')
  expect(stage.state.value).toBe('123456789012')
  expect(stage.find('[data-over]').textContent).toContain('12/10')
})

test('counts what was written from outside', () => {
  stage.show(TextAreaField, { value: 'abc', props: { maxLength: 10 } })
  stage.type('12345')
  stage.show(TextAreaField, { value: '', props: { maxLength: 10 } })
  expect(stage.box.textContent).toContain('0/10')
})

test('nothing counts where there is no most', () => {
  stage.show(TextAreaField, { value: 'abc' })
  expect(stage.box.querySelector('[role=status]')).toBeNull()
})
