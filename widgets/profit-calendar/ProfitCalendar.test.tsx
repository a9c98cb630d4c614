import { act } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { viewStage } from '#widgets/parts/view-fixture.tsx'
import { ProfitCalendar } from '#widgets/profit-calendar/ProfitCalendar.tsx'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
const now = vi.hoisted(() => ({ time: 0, tag: '' }))
vi.mock('#renderer/widget-api.ts', () => ({
  useClock: () => now.time,
  useLanguage: () => ({ id: 'fr', tag: now.tag }),
  useEngineText: () => (key: string, args?: Record<string, unknown>) => (args ? `${key} ${Object.values(args).join(' ')}` : key),
  useFormat: () => ({ amount: (text: string) => Number(text).toFixed(2) }),
}))

const days = [
  { date: '2026-11-05', result: '-40.5', fee: '2', closes: 3 },
  { date: '2026-11-24', result: '1234.56', fee: '5', closes: 1 },
]
const november = { label: 'Profit', currency_code: 'USDT', month: '2026-11', days, result: '1194.06', fee: '7' }
const stage = viewStage(ProfitCalendar)
const day = (date: string) => stage.box.querySelector<HTMLButtonElement>(`[data-date="${date}"]`)
const key = (name: string) =>
  act(() => void document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true })))
const button = (label: string) => stage.box.querySelector<HTMLButtonElement>(`button[aria-label="${label}"]`)
const status = () => stage.box.querySelector('[role="status"]')?.textContent

beforeEach(() => {
  now.time = Date.UTC(2026, 10, 25, 12)
  now.tag = 'en-GB'
})

test('each day says what it brought, by colour, sign and words', () => {
  stage.show(november)
  expect(stage.box.querySelectorAll('[data-date]')).toHaveLength(30)
  expect([day('2026-11-24')?.dataset.tone, day('2026-11-05')?.dataset.tone, day('2026-11-06')?.dataset.tone]).toEqual([
    'up',
    'down',
    undefined,
  ])
  expect(day('2026-11-24')?.textContent).toMatch(/^24\+1.23k$/i)
  expect(day('2026-11-05')?.textContent).toBe('5−40.5')
  expect(day('2026-11-05')?.getAttribute('aria-label')).toBe('5 November 2026: −40.50 USDT')
  expect(day('2026-11-06')?.getAttribute('aria-label')).toBe('6 November 2026')
  expect(stage.box.querySelector('dl')?.textContent).toBe(
    'widget.profit_result+1194.06 USDTwidget.profit_fee7.00 USDTwidget.profit_days1 / 1',
  )
  expect([...stage.box.querySelectorAll('th')].map((head) => head.abbr).join(' ')).toMatch(/^Monday .* Sunday$/)
})

test('the newest day with a result is told, another after a press', () => {
  stage.show(november)
  expect(status()).toContain('24 November 2026+1234.56 USDT')
  act(() => day('2026-11-05')?.click())
  expect(status()).toContain('5 November 2026−40.50 USDTwidget.profit_closings 3 · widget.profit_fee 2.00 USDT')
  act(() => day('2026-11-06')?.click())
  expect(status()).toBe('6 November 2026–')
})

test('a day says how many positions were closed, and how many options were settled', () => {
  const labelOf = (counts: object) => {
    stage.show({ ...november, days: [{ ...days[1], ...counts }] })
    return status()
      ?.replace(/^.*USDTwidget/, 'widget')
      .replace(/ · widget.profit_fee.*$/, '')
  }
  expect(labelOf({ closes: 2, options: 3 })).toBe('widget.profit_closings 2 · widget.profit_options 3')
  expect(labelOf({ closes: 0, options: 1 })).toBe('widget.profit_options 1')
  expect(labelOf({ closes: 0, options: 0 })).toBe('widget.profit_closings 0')
})

test('keys move through the days, and from month to month', () => {
  stage.show(november)
  const stops = () => [...stage.box.querySelectorAll<HTMLElement>('[data-date][tabindex="0"]')].map((one) => one.dataset.date)
  expect(stops()).toEqual(['2026-11-24'])
  day('2026-11-24')?.focus()
  key('ArrowUp')
  expect([document.activeElement, stops()]).toEqual([day('2026-11-17'), ['2026-11-17']])
  key('PageDown')
  key('PageUp')
  expect(stage.events).toEqual([['month', '2026-10']])
  stage.show({ ...november, month: '2026-10', days: [] })
  expect(document.activeElement).toBe(day('2026-10-01'))
})

test('the year is that of the rest of the app in Thai too', () => {
  now.tag = 'th'
  stage.show(november)
  expect(stage.box.querySelector('h3')?.textContent).toContain('2026')
  expect(day('2026-11-06')?.getAttribute('aria-label')).toContain('2026')
})

test('a month that comes late takes no focus from where the reader is', () => {
  stage.show(november)
  day('2026-11-24')?.focus()
  key('PageUp')
  button('widget.month_previous')?.focus()
  stage.show({ ...november, month: '2026-10', days: [] })
  expect(document.activeElement).toBe(button('widget.month_previous'))
})

test('a key whose month never came does not move the focus after a press of a button', () => {
  stage.show(november)
  day('2026-11-24')?.focus()
  key('PageUp')
  act(() => button('widget.month_previous')?.click())
  stage.show({ ...november, month: '2026-09', days: [] })
  expect(document.activeElement).toBe(document.body)
})

test('each quick press leads one month further, up to this one', () => {
  stage.show({ ...november, month: '2026-09', days: [] })
  act(() => button('widget.month_previous')?.click())
  act(() => button('widget.month_previous')?.click())
  stage.show({ ...november, month: '2026-10', days: [] })
  act(() => button('widget.month_next')?.click())
  act(() => button('widget.month_next')?.click())
  expect(stage.events.map(([, month]) => month)).toEqual(['2026-08', '2026-07', '2026-11'])
})

test('no month after this one', () => {
  stage.show(november)
  expect(button('widget.month_next')?.disabled).toBe(true)
  act(() => button('widget.month_next')?.click())
  act(() => button('widget.month_previous')?.click())
  expect(stage.events).toEqual([['month', '2026-10']])
  stage.show({ ...november, month: '2026-10', days: [] })
  act(() => button('widget.month_next')?.click())
  expect(stage.events).toEqual([
    ['month', '2026-10'],
    ['month', '2026-11'],
  ])
})

test('without a month it is that of now; an empty one says so, a loading one does not', () => {
  stage.show({ ...november, month: null, days: [], emptyTitle: 'Nothing closed' })
  expect(stage.box.querySelector('h3')?.textContent).toBe('November 2026')
  expect(stage.box.textContent).toContain('Nothing closed')
  stage.show({ label: 'Profit', month: null, emptyTitle: 'Nothing closed' }, { status: 'loading' })
  expect(stage.box.textContent).not.toContain('Nothing closed')
  expect(stage.box.querySelector('[aria-busy]')).not.toBeNull()
  expect(stage.box.querySelectorAll('[data-date]')).toHaveLength(30)
})

test('days of another month, which are still shown while theirs loads, choose nothing', () => {
  stage.show({ ...november, month: '2026-10' })
  expect(status()).toBeUndefined()
  stage.show({ ...november, days: [{ ...days[0], date: 'soon' }] })
  expect(status()).toBeUndefined()
})
