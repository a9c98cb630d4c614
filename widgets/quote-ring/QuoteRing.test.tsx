import { act, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { QuoteRing } from '#widgets/quote-ring/QuoteRing.tsx'

const clock = vi.hoisted(() => ({ now: 0, move: (_ms: number): void => undefined }))
vi.mock('#renderer/widget-api.ts', () => ({
  useClock: () => {
    const [now, setNow] = useState(clock.now)
    clock.move = (ms) => {
      clock.now += ms
      setNow(clock.now)
    }
    return now
  },
}))
vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)

let host: HTMLElement
let app: Root
const emit = vi.fn()
const show = (of: string) => {
  const rest = {
    root: { 'data-node': 'ring' },
    busy: false,
    enabled: true,
    status: 'ready' as const,
    retry: () => undefined,
    slots: {} as never,
  }
  act(() => app.render(<QuoteRing {...rest} props={{ label: 'Rate', of, ms: 10_000 }} emit={emit} />))
}
const pass = (ms: number) => act(() => clock.move(ms))
const seconds = () => host.querySelector('[role=timer]')?.textContent
beforeEach(() => {
  clock.now = 1_700_000_000_000
  emit.mockClear()
  host = document.body.appendChild(document.createElement('div'))
  app = createRoot(host)
})
afterEach(() => {
  act(() => app.unmount())
  host.remove()
})

test('it asks once when the offer ends, and again only after some seconds without another one', () => {
  show('a')
  expect(seconds()).toBe('10')
  pass(9_900)
  expect([seconds(), emit.mock.calls.length]).toEqual(['1', 0])
  pass(100)
  expect([seconds(), emit.mock.calls.length]).toEqual(['0', 1])
  pass(2_000)
  expect(emit).toHaveBeenCalledTimes(1)
  pass(1_000)
  expect(emit).toHaveBeenCalledTimes(2)
})

test('another offer begins anew, whenever it comes', () => {
  show('a')
  pass(12_000)
  expect(emit).toHaveBeenCalledTimes(1)
  show('b')
  expect(seconds()).toBe('10')
  pass(9_000)
  expect(emit).toHaveBeenCalledTimes(1)
  pass(1_000)
  expect(emit).toHaveBeenCalledTimes(2)
})
