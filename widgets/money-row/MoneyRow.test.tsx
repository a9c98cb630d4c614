import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { MoneyRow } from '#widgets/money-row/MoneyRow.tsx'
import type { MoneyRowProps } from '#widgets/money-row/money-row.props.ts'

vi.mock('#renderer/widget-api.ts', () => ({
  useEngineText: () => (key: string) => key,
  useFormat: () => ({
    amount: (text: string, { min }: { min: number }) => (text.includes('.') || min === 0 ? text : `${text}.${'0'.repeat(min)}`),
    fiat: (usd: string) => `$${usd}`,
  }),
}))
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let host: HTMLElement
let app: Root
const emit = vi.fn()
function show(props: Partial<MoneyRowProps>, pressed = false) {
  const rest = { busy: false, enabled: true, status: 'ready' as const, retry: () => undefined, slots: {} as never }
  const view = { ...rest, root: { 'data-node': 'row' }, props: { title: 'Transfer', amount: '0', ...props }, emit, listens: () => pressed }
  act(() => app.render(<MoneyRow {...view} />))
}
beforeEach(() => {
  emit.mockClear()
  host = document.body.appendChild(document.createElement('div'))
  app = createRoot(host)
})
afterEach(() => {
  act(() => app.unmount())
  host.remove()
})

test.each<[string, Partial<MoneyRowProps>, string, string | undefined]>([
  ['more says so beside its colour', { amount: '12.5', signed: true, unit: 'USDT' }, '+12.5 USDT', '+'],
  ['less says so beside its colour', { amount: '-0.00000001', signed: true, unit: 'BTC' }, '−0.00000001 BTC', '−'],
  ['nothing has neither', { amount: '0.00', signed: true }, '0.00', ''],
  ['a balance has no sign', { amount: '12.5' }, '12.5', undefined],
  ['what is owed keeps its minus', { amount: '-3.5' }, '−3.5', undefined],
  ['decimals are filled up, never cut', { amount: '7', scale: 2 }, '7.00', undefined],
  ['two of many decimals are enough', { amount: '7', scale: 8 }, '7.00', undefined],
  ['more decimals than the scale all stand', { amount: '0.123456789', scale: 2 }, '0.123456789', undefined],
])('%s', (_, props, text, sign) => {
  show(props)
  const amount = host.querySelector<HTMLElement>('.num > span')
  expect([amount?.textContent, amount?.dataset.sign]).toEqual([text, sign])
})

test('covered, it gives away neither amount, worth, sign nor what stands below', () => {
  show({ amount: '-120.5', signed: true, unit: 'USDT', usd: '120.5', hidden: true })
  expect(host.textContent).not.toMatch(/120|USDT|−|\$/)
  expect(host.querySelector('[data-sign]')).toBeNull()
  show({ amount: '1', sub: 'Balance 99', hidden: true })
  expect(host.textContent).not.toContain('99')
})

test('it is a button only where a press leads somewhere', () => {
  show({ amount: '1' })
  expect(host.querySelector('button')).toBeNull()
  show({ amount: '1' }, true)
  act(() => host.querySelector('button')?.click())
  expect(emit.mock.calls).toEqual([['press']])
})
