import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DateRange } from '#widgets/date-range/DateRange.tsx'
import type { DayRange } from '#widgets/date-range/range.rules.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
const at = (day: number) => new Date(2026, 0, day).getTime()
let host: HTMLElement
let app: Root
const emit = vi.fn()
function show(range: DayRange) {
  const rest = {
    root: { 'data-node': 'range' },
    busy: false,
    enabled: true,
    status: 'ready' as const,
    retry: () => undefined,
    slots: {} as never,
  }
  act(() => app.render(<DateRange {...rest} props={{ label: 'Period', fromLabel: 'From', toLabel: 'To', ...range }} emit={emit} />))
}
const days = () => [...host.querySelectorAll('input')].map(({ value }) => value)
function enter(which: 0 | 1, text: string) {
  const input = host.querySelectorAll('input')[which] as HTMLInputElement
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
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

test('shows the days of a range, the last one whole', () => {
  show({ from: at(10), to: at(13) })
  expect(days()).toEqual(['2026-01-10', '2026-01-12'])
})

test.each<[string, DayRange, 0 | 1, string, DayRange[]]>([
  ['a first day opens the range to its end', { from: null, to: null }, 0, '2026-01-10', [{ from: at(10), to: null }]],
  ['a last day is in it to its end', { from: at(10), to: null }, 1, '2026-01-12', [{ from: at(10), to: at(13) }]],
  ['days in the wrong order change places', { from: at(10), to: null }, 1, '2026-01-08', [{ from: at(8), to: at(11) }]],
  ['a day taken away opens it again', { from: at(10), to: at(13) }, 0, '', [{ from: null, to: at(13) }]],
])('%s', (_, before, which, text, emitted) => {
  show(before)
  enter(which, text)
  expect(emit.mock.calls.map(([event, range]) => [event, range])).toEqual(emitted.map((range) => ['change', range]))
})
