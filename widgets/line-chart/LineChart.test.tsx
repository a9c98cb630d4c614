import { act } from 'react'
import { expect, test, vi } from 'vitest'
import type { NodeStatus } from '#renderer/widget-api.ts'
import type { Series } from '#widgets/line-chart/chart.rules.ts'
import { LineChart } from '#widgets/line-chart/LineChart.tsx'
import { viewStage } from '#widgets/parts/view-fixture.tsx'

const format = {
  amount: (text: string) => text,
  compact: (text: string) => `${text} short`,
  price: (text: string, tick: string) => `${text}/${tick}`,
  percent: (text: string) => `${text}%`,
}
vi.mock('#renderer/widget-api.ts', () => ({
  useEngineText: () => (key: string, args?: Record<string, unknown>) => (args ? `${key} ${Object.values(args).join(' ')}` : key),
  useFormat: () => format,
  useLanguage: () => ({ id: 'en', tag: 'en' }),
}))
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

const day = 86_400_000
const start = new Date(2026, 4, 1).getTime()
const line = (id: string, ...values: (string | null)[]): Series => ({
  id,
  label: id.toUpperCase(),
  points: values.map((value, i) => ({ at: start + i * day, value })),
})
const page = viewStage(LineChart, { label: 'Worth' })
const { show } = page
const plot = () => page.box.querySelector<HTMLElement>('[role=slider]')!
const said = () => plot().getAttribute('aria-valuetext')
const key = (name: string) => {
  const event = new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true })
  act(() => void plot().dispatchEvent(event))
  return event.defaultPrevented
}
const readout = () => page.box.querySelector('[aria-hidden=true]')?.textContent

test('reads the newest value, and with the keys each one exactly as it was given', () => {
  show({ series: [line('a', '0.10', '0.20', '12345678901234567890.123')], unit: 'USDT' })
  expect(said()).toBe('May 3, 12:00 AM: 12345678901234567890.123 USDT')
  expect(key('ArrowLeft')).toBe(true)
  expect(said()).toBe('May 3, 12:00 AM: 12345678901234567890.123 USDT')
  key('ArrowLeft')
  expect([said(), plot().getAttribute('aria-valuenow')]).toEqual(['May 2, 12:00 AM: 0.20 USDT', '1'])
  key('Home')
  expect(said()).toBe('May 1, 12:00 AM: 0.10 USDT')
  key('Escape')
  expect(said()).toContain('May 3')
  expect(key('Tab')).toBe(false)
})

test('the value under a finger, and none when it leaves', () => {
  show({ series: [line('a', '1', '2', '3')] })
  plot().getBoundingClientRect = () => ({ left: 100, width: 200 }) as DOMRect
  const point = (type: string, clientX: number) => act(() => void plot().dispatchEvent(new PointerEvent(type, { clientX, bubbles: true })))
  point('pointerdown', 190)
  expect(readout()).toBe('May 2, 12:00 AM2')
  point('pointermove', 100)
  expect(readout()).toBe('May 1, 12:00 AM1')
  point('pointercancel', 100)
  expect(readout()).toBe('May 3, 12:00 AM3')
})

test('of two series both are read, and a gap is said', () => {
  show({ series: [line('a', '1', '2'), line('b', '3', null)] })
  expect(said()).toBe('May 2, 12:00 AM: A 2, B widget.chart_no_value')
  expect(readout()).toBe('May 2, 12:00 AMA2B–')
  key('Home')
  expect(said()).toBe('May 1, 12:00 AM: A 1, B 3')
})

test.each<[string, object, string]>([
  ['prices by their step', { tick: '0.01', unit: 'USDT' }, '0.5/0.01 USDT'],
  ['percent have no unit', { percent: true, unit: 'USDT' }, '0.5%'],
])('%s', (_, props, text) => {
  show({ series: [line('a', '0.5')], ...props })
  expect(said()).toBe(`May 1, 12:00 AM: ${text}`)
})

test('covered amounts stand nowhere', () => {
  show({ series: [line('a', '1234', '5678')], hidden: true })
  expect(said()).toBe('May 2, 12:00 AM: widget.amount_hidden')
  expect(page.box.innerHTML).not.toMatch(/1234|5678/)
  expect(page.box.textContent).not.toMatch(/[246]000/)
})

test('a thousand points are drawn as one line, and a step along them draws it not again', () => {
  show({ series: [line('a', ...Array.from({ length: 1_000 }, (_, i) => String(i % 37)))] })
  const drawn = page.box.querySelector('svg')!
  const watch = new MutationObserver(() => undefined)
  watch.observe(drawn, { subtree: true, childList: true, attributes: true })
  for (let i = 0; i < 50; i++) key('ArrowLeft')
  expect(watch.takeRecords()).toEqual([])
  watch.disconnect()
  expect(drawn.querySelectorAll('path').length).toBeLessThan(12)
})

test.each<[NodeStatus, object, string]>([
  ['ready', { series: [] }, 'Worthwidget.chart_no_values'],
  ['ready', { series: [line('a')], emptyText: 'Tomorrow' }, 'WorthTomorrow'],
  ['loading', { series: undefined }, 'Worth'],
])('without values, %s', (status, props, words) => {
  show(props, { status })
  expect([page.box.textContent, page.box.querySelector('[role=slider]'), page.box.querySelector('[aria-busy]') !== null]).toEqual([
    words,
    null,
    status === 'loading',
  ])
})
