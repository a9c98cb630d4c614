import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fieldStage } from '#widgets/parts/fields/field-fixture.tsx'
import { SwapField } from '#widgets/swap-field/SwapField.tsx'

vi.mock('#renderer/widget-api.ts', async () => (await import('#widgets/parts/fields/field-fixture.tsx')).widgetApi)
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const options = [
  { id: 'change', label: 'Spot' },
  { id: 'legal', label: 'Fiat' },
]
let stage: ReturnType<typeof fieldStage>
beforeEach(() => {
  stage = fieldStage()
})
afterEach(() => stage.end())

test('the button asks for a turn and changes nothing by itself', () => {
  stage.show(SwapField, { value: 'legal', props: { options } })
  act(() => stage.button('widget.swap').click())
  expect(stage.events).toEqual([['swap', undefined]])
  expect([stage.state.value, stage.find<HTMLSelectElement>('select').value]).toEqual(['legal', 'legal'])
})

test.each([
  ['while it waits', { busy: true }],
  ['while the field is closed', { field: { enabled: false } }],
])('%s it asks for nothing', (_, given) => {
  stage.show(SwapField, { value: 'legal', props: { options }, ...given })
  act(() => stage.button('widget.swap').click())
  expect(stage.events).toEqual([])
})
