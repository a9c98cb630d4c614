import { act } from 'react'
import { expect, test, vi } from 'vitest'
import { viewStage } from '#widgets/parts/view-fixture.tsx'
import { PositionCard } from '#widgets/position-card/PositionCard.tsx'

vi.mock('#renderer/widget-api.ts', async (original) => ({
  ...(await original<object>()),
  useEngineText: () => (key: string) => key,
  useQuote: () => ({ last: '51000' }),
  useFormat: () => ({
    amount: (text: string) => text,
    signed: (text: string) => text,
    price: (text: string) => text,
    percent: (text: string) => text,
    dateTime: (time: number) => `at ${time}`,
  }),
}))
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const position = {
  id: 7,
  symbol: 'BTCUSDT',
  name: 'BTC/USDT',
  base: 'BTC',
  currency_code: 'USDT',
  side: 'long',
  type: 'market',
  multiple: 20,
  lots: '10',
  lot_size: '0.01',
  price: null,
  open_price: '50000',
  exit_price: null,
  margin: '250',
  held: '0',
  target_profit_price: '52000',
  stop_loss_price: null,
  liquidation_price: '47738.69',
  closes_at_opening: false,
  maintenance_rate: '0.005',
  fee_rate: '0.0005',
  spread: '0',
  overnight_open: '1',
  fee: '2.5',
  overnight: '1',
  result: '0',
  close_reason: null,
  cancel_reason: null,
  created: 1,
  opened: 2,
  ended: null,
}
const page = viewStage(PositionCard)
const facts = () =>
  Object.fromEntries(
    [...page.box.querySelectorAll<HTMLElement>('[data-fact]')].map((one) => [one.dataset.fact, one.querySelector('dd')?.textContent]),
  )

test('an open position shows what it was opened with, what it has cost, where it ends and what it is worth', () => {
  page.show({ position: { ...position, list: 'position' } })
  expect(page.box.querySelector('p')?.textContent).toBe('widget.position_long ×20BTC/USDT')
  expect(page.box.querySelector('[data-direction]')?.textContent).toBe('93.95 USDT0.3758widget.profit_result')
  expect(facts()).toMatchObject({
    lots: '10',
    unrealised: '100',
    margin: '250',
    open_price: '50000',
    mark: '51000',
    liquidation: '47738.69',
    target: '52000',
    stop: '–',
    fee: '2.5',
    overnight: '1',
    opened: 'at 2',
  })
})

test.each([
  [
    'history',
    { exit_price: '52000', result: '197', ended: 3 },
    { open_price: '50000', exit_price: '52000', fee: '2.5', overnight: '1', ended: 'at 3' },
  ],
  [
    'entrust',
    { type: 'limit', price: '49000', held: '252.5' },
    { order_price: '49000', lots: '10', held: '252.5', target: '52000', created: 'at 1' },
  ],
])('a row of %s shows what is known of it', (list, more, wanted) => {
  page.show({ position: { ...position, ...more, list } })
  expect(facts()).toMatchObject(wanted)
})

test('a compact row shows the essentials, and the rest with the actions at a press', () => {
  const press = () => act(() => page.box.querySelector<HTMLButtonElement>('[data-part="more"]')?.click())
  const brief = () =>
    Object.fromEntries(
      [...page.box.querySelectorAll<HTMLElement>('[data-brief]')].map((one) => [one.dataset.brief, one.querySelector('dd')?.textContent]),
    )
  const actions = () => [...page.box.querySelectorAll<HTMLElement>('[data-part]:not([data-part="more"])')].map((one) => one.dataset.part)
  page.show({ position: { ...position, list: 'position' }, compact: true })
  expect(brief()).toEqual({ lots: '10', open_price: '50000', mark: '51000', liquidation: '47738.69' })
  expect([facts(), actions()]).toEqual([{}, []])
  press()
  expect(facts()).toMatchObject({ margin: '250', target: '52000', overnight: '1' })
  expect(actions()).toContain('close')
  expect(page.box.querySelector('[data-part="more"]')?.getAttribute('aria-expanded')).toBe('true')
  press()
  expect(facts()).toEqual({})
})
