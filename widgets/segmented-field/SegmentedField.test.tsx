import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fieldStage } from '#widgets/parts/fields/field-fixture.tsx'
import { SegmentedField } from '#widgets/segmented-field/SegmentedField.tsx'

vi.mock('#renderer/widget-api.ts', async () => (await import('#widgets/parts/fields/field-fixture.tsx')).widgetApi)
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const options = [
  { id: 'buy', label: 'Buy' },
  { id: 'sell', label: 'Sell' },
]
let stage: ReturnType<typeof fieldStage>
const radio = (id: string) => stage.find<HTMLInputElement>(`input[value=${id}]`)
beforeEach(() => {
  stage = fieldStage()
})
afterEach(() => stage.end())

test('a press enters the option, and shows it', () => {
  stage.show(SegmentedField, { value: 'buy', props: { options } })
  expect([radio('buy').checked, radio('sell').checked]).toEqual([true, false])
  act(() => radio('sell').click())
  expect([stage.state.value, radio('buy').checked, radio('sell').checked]).toEqual(['sell', false, true])
})

test.each([
  ['sell', 'sell', 'down'],
  ['buy', 'buy', 'up'],
])('only the chosen option has its tone: %s', (value, on, tone) => {
  stage.show(SegmentedField, { value, props: { options, tones: { buy: 'up', sell: 'down' } } })
  const labels = [...stage.box.querySelectorAll<HTMLElement>('label')]
  expect(labels.filter((one) => one.dataset.on).map((one) => [one.textContent, one.dataset.tone])).toEqual([
    [options.find(({ id }) => id === on)?.label, tone],
  ])
})

test('before anybody chose, none is on and the form focuses the first', () => {
  stage.show(SegmentedField, { value: '', props: { options }, field: { required: true } })
  expect([radio('buy').checked, radio('sell').checked]).toEqual([false, false])
  expect(stage.state.focus).toBe(radio('buy'))
  const group = stage.find('[role=radiogroup]')
  expect([group.getAttribute('aria-required'), group.getAttribute('aria-labelledby')]).toEqual(['true', 'f-label'])
})

test('a problem is told with the group', () => {
  stage.show(SegmentedField, { value: '', props: { options }, field: { problem: { level: 'error', text: 'Choose one' } } })
  const group = stage.find('[role=radiogroup]')
  expect([group.getAttribute('aria-invalid'), group.getAttribute('aria-describedby')]).toEqual(['true', 'f-problem'])
})

test('a closed field cannot be changed, and a hidden label is still heard', () => {
  stage.show(SegmentedField, { value: 'buy', props: { options, hideLabel: true }, field: { enabled: false } })
  expect(radio('sell').disabled).toBe(true)
  expect(stage.find('#f-label').className).toContain('visually-hidden')
})
