import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import type { DepthLevel } from '#contract/feed.ts'
import { DepthChart } from '#widgets/depth-chart/DepthChart.tsx'

type Book = { bids: DepthLevel[]; asks: DepthLevel[]; stale: boolean } | undefined
const feed = vi.hoisted(() => ({ book: undefined as unknown }))
vi.mock('#renderer/widget-api.ts', () => ({
  useDepth: () => feed.book,
  useEngineText: () => (key: string) => key,
  useFormat: () => ({ price: (text: string) => text, compact: (text: string) => text, percent: (text: string) => text }),
}))

test.each<[what: string, book: Book, shown: string, said: string]>([
  ['on its way', undefined, '', 'widget.chart_loading'],
  ['old', { bids: [], asks: [], stale: true }, '', 'widget.chart_updating'],
  [
    'empty',
    { bids: [], asks: [], stale: false },
    'widget.chart_bids_none · widget.chart_asks_none',
    'widget.chart_bids_none · widget.chart_asks_none',
  ],
  ['without asks', { bids: [['99', '1']], asks: [], stale: false }, 'widget.chart_asks_none', 'widget.chart_asks_none'],
])('a book that is %s', (_what, book, shown, said) => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  feed.book = book
  const host = document.body.appendChild(document.createElement('div'))
  const root = createRoot(host)
  const rest = { busy: false, enabled: true, status: 'ready' as const, retry: () => undefined, slots: {} as never, emit: vi.fn() }
  act(() => root.render(<DepthChart root={{ 'data-node': 'depth' }} props={{ symbol: 'BTCUSDT', tick: '0.1' }} {...rest} />))
  expect(host.querySelector('[data-node] > [aria-hidden]')?.textContent).toBe(shown)
  expect(host.querySelector('[role=status]')?.textContent).toBe(said)
  act(() => root.unmount())
  host.remove()
})
