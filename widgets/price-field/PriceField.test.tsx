import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fieldStage } from '#widgets/parts/fields/field-fixture.tsx'
import { PriceField } from '#widgets/price-field/PriceField.tsx'

const feed = vi.hoisted(() => ({ quote: undefined as unknown, book: undefined as unknown }))
vi.mock('#renderer/widget-api.ts', async () => ({
  ...(await import('#widgets/parts/fields/field-fixture.tsx')).widgetApi,
  useQuote: () => feed.quote,
  useDepth: () => feed.book,
}))
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let stage: ReturnType<typeof fieldStage>
const part = (id: string) => stage.find<HTMLButtonElement>(`[data-part="${id}"]`)
const show = () => stage.show(PriceField, { value: '1', props: { symbol: 'BTCUSDT', step: '0.01' } })
beforeEach(() => {
  feed.quote = { last: '100.10' }
  feed.book = { bids: [['100.00', '1']], asks: [['100.20', '1']], stale: false }
  stage = fieldStage()
})
afterEach(() => stage.end())

test.each([
  ['last', '100.10'],
  ['bid', '100.00'],
  ['ask', '100.20'],
])('a press on %s writes %s into the control and the form', (id, price) => {
  show()
  act(() => part(id).click())
  expect(stage.find<HTMLInputElement>('input').value).toBe(price)
  expect(stage.state.value).toBe(price)
})

test('a price that nobody offers cannot be pressed', () => {
  feed.book = { bids: [], asks: [['100.20', '1']], stale: false }
  show()
  expect(['last', 'bid', 'ask'].map((id) => part(id).disabled)).toEqual([false, true, false])
})
