import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { DealCard } from '#widgets/deal-card/DealCard.tsx'
import { viewStage } from '#widgets/parts/view-fixture.tsx'

vi.mock('#renderer/widget-api.ts', () => ({}))
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const stage = viewStage(DealCard, {
  rates: [{ label: 'A year', value: '30%' }],
  risk: { level: 2, label: 'Risk 2 of 5', text: 'You can lose.' },
})

test('the risk stands behind the rates and before all else, with its level drawn', () => {
  stage.show({ rows: [{ label: 'You pay', value: '1 BTC' }] })
  const text = stage.box.textContent!
  expect(['30%', 'Risk 2 of 5', 'You can lose.', '1 BTC'].map((part) => text.indexOf(part))).toEqual([6, 9, 20, 40])
  expect(stage.box.querySelectorAll('[data-on="true"]')).toHaveLength(2)
  expect(stage.box.querySelector('button')).toBeNull()
})

test('a press shows the other form of a time, and a second one the first again', async () => {
  stage.show({ rows: [{ label: 'Paid back', value: '16:00', other: '08:00 UTC' }] })
  const button = stage.box.querySelector('button')!
  const press = () => act(async () => button.click())
  expect(button.textContent).toBe('16:00')
  await press()
  expect(button.textContent).toBe('08:00 UTC')
  await press()
  expect(button.textContent).toBe('16:00')
})

test('bars are drawn to one scale', () => {
  const item = (id: string, get: string, hold: string) => ({
    id,
    label: id,
    get: { value: get, text: get },
    hold: { value: hold, text: hold },
  })
  stage.show({
    examples: { title: 'Examples', get: 'You get', hold: 'Holding', items: [item('low', '20', '10'), item('high', '20', '40')] },
  })
  expect([...stage.box.querySelectorAll('[data-length]')].map((bar) => bar.getAttribute('data-length'))).toEqual([
    '0.5000',
    '0.2500',
    '0.5000',
    '1.0000',
  ])
})
