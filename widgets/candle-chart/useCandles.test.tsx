import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useCandles } from '#widgets/candle-chart/useCandles.ts'

vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
const wire = vi.hoisted(() => ({ state: 'connected', call: (): Promise<unknown> => Promise.reject(new Error('offline')) }))
vi.mock('#renderer/widget-api.ts', () => ({
  useCall: () => wire.call,
  useCandle: () => undefined,
  useFeedHealth: () => ({ state: wire.state, lastMessageMs: undefined }),
}))

const call = vi.fn<typeof wire.call>()
let app: Root
let seen: ReturnType<typeof useCandles>
function Probe() {
  seen = useCandles('BTCUSDT', '1h')
  return null
}
/** Draws with this state of the feed, and waits for the answers of calls. */
const feedIs = async (state: string) => {
  wire.state = state
  await act(async () => {
    app.render(<Probe />)
    await vi.advanceTimersByTimeAsync(0)
  })
  await act(() => vi.advanceTimersByTimeAsync(0))
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  wire.call = call.mockReset().mockRejectedValue(new Error('offline'))
  app = createRoot(document.createElement('div'))
})
afterEach(() => {
  act(() => app.unmount())
  vi.useRealTimers()
})

test('a chart that failed is loaded again once, when the feed is connected again', async () => {
  await feedIs('connected')
  expect([seen.status, call.mock.calls.length]).toEqual(['failed', 1])
  await feedIs('connecting')
  await feedIs('connected')
  expect([seen.status, call.mock.calls.length]).toEqual(['failed', 2])
  call.mockResolvedValue({ list: [{ time: 0, open: '1', high: '1', low: '1', close: '1', volume: '1' }] })
  await feedIs('down')
  await feedIs('connected')
  expect([seen.status, seen.candles.length, call.mock.calls.length]).toEqual(['ready', 1, 3])
  await feedIs('down')
  await feedIs('connected')
  expect(call.mock.calls).toHaveLength(3)
})
