import { act, Profiler, useSyncExternalStore } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Listing, Quote } from '#contract/calls/market.calls.ts'
import { QuoteList } from '#widgets/quote-list/QuoteList.tsx'
import type { QuoteListProps } from '#widgets/quote-list/quote-list.props.ts'

const feed = vi.hoisted(() => ({ quotes: new Map<string, unknown>(), wakes: new Map<string, () => void>(), formatted: [] as string[] }))
const api = vi.hoisted(() => ({
  say: (key: string, args?: Record<string, string>) => (args ? `${key} ${Object.values(args).join(' ')}` : key),
  format: {
    price: (text: string) => {
      feed.formatted.push(text)
      return text
    },
    percent: (text: string) => text,
  },
}))
vi.mock('#renderer/widget-api.ts', async () => ({
  lazy: (await import('#widgets/parts/fields/field-fixture.tsx')).widgetApi.lazy,
  useQuote: (symbol: string) =>
    useSyncExternalStore(
      (wake) => {
        feed.wakes.set(symbol, wake)
        return () => feed.wakes.delete(symbol)
      },
      () => feed.quotes.get(symbol),
    ),
  useQuotes: () => undefined,
  useQuoteReader: () => (symbol: string) => feed.quotes.get(symbol),
  useLanguage: () => ({ id: 'en', tag: 'en' }),
  useEngineText: () => api.say,
  useFormat: () => api.format,
}))

const row = (base: string, last: string, change: string): Listing => ({
  match_id: 1,
  symbol: `${base}USDT`,
  name: `${base}/USDT`,
  title: base,
  base,
  quote: 'USDT',
  group: 'currency',
  tick: '0.01',
  step: '0.01',
  source: 'simulator',
  hot: true,
  quote24h: { symbol: `${base}USDT`, last, open24h: last, high24h: last, low24h: last, volume24h: '1', change, ts: 0, seq: 0 },
  spark: ['1', '2'],
})
const rows = [row('BTC', '64000.00', '0.01'), row('ETH', '3100.00', '-0.02'), row('ADA', '0.36', '0.05')]

let host: HTMLElement
let root: Root
let commits = 0
const emit = vi.fn()
function show(props: Partial<QuoteListProps> = {}, status: 'ready' | 'loading' = 'ready') {
  const rest = { busy: false, enabled: true, status, retry: () => undefined, slots: {} as never }
  act(() =>
    root.render(
      <Profiler id="list" onRender={() => commits++}>
        <QuoteList root={{ 'data-node': 'list' }} props={{ label: 'Markets', rows, ...props }} emit={emit} {...rest} />
      </Profiler>,
    ),
  )
}
const symbols = () => [...host.querySelectorAll('li')].map((item) => item.dataset.key)
const tick = (symbol: string, change: Partial<Quote>) =>
  act(() => {
    feed.quotes.set(symbol, { ...rows.find((each) => each.symbol === symbol)?.quote24h, ...change })
    feed.wakes.get(symbol)?.()
  })

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  feed.quotes.clear()
  host = document.body.appendChild(document.createElement('div'))
  root = createRoot(host)
  emit.mockClear()
})
afterEach(() => {
  act(() => root.unmount())
  host.remove()
})

test('shows the prices of the listing until the feed speaks', () => {
  show()
  expect(symbols()).toEqual(['BTCUSDT', 'ETHUSDT', 'ADAUSDT'])
  expect(host.textContent).toContain('64000.00')
})

test('a tick draws the cells of its symbol alone', () => {
  show({ spark: true })
  feed.formatted.length = 0
  commits = 0
  tick('ETHUSDT', { last: '3150.00' })
  expect(feed.formatted).toEqual(['3150.00'])
  expect(commits).toBe(1)
  expect(host.querySelector('[data-key="ETHUSDT"]')?.textContent).toContain('3150.00')
})

test('select and star give the symbol and do not mix', () => {
  show({ star: true, favourites: ['ETHUSDT'] })
  const [star, open] = [...host.querySelectorAll<HTMLButtonElement>('[data-key="ETHUSDT"] button')]
  expect(star?.getAttribute('aria-pressed')).toBe('true')
  expect(star?.getAttribute('aria-label')).toBe('widget.chart_favourite ETH/USDT')
  act(() => star?.click())
  act(() => open?.click())
  expect(emit.mock.calls).toEqual([
    ['star', 'ETHUSDT'],
    ['select', 'ETHUSDT'],
  ])
})

test('sorts by the latest figures, says so, and gives the order back', () => {
  show({ sortable: true })
  tick('ADAUSDT', { last: '99999.00' })
  const head = host.querySelector<HTMLButtonElement>('button[data-key="last"]')
  act(() => head?.click())
  expect(symbols()).toEqual(['ADAUSDT', 'BTCUSDT', 'ETHUSDT'])
  expect(head?.textContent).toContain('widget.chart_sorted_falling')
  act(() => head?.click())
  expect(symbols()).toEqual(['ETHUSDT', 'BTCUSDT', 'ADAUSDT'])
  act(() => head?.click())
  expect(symbols()).toEqual(['BTCUSDT', 'ETHUSDT', 'ADAUSDT'])
  expect(head?.textContent).not.toContain('sorted')
})

test('an empty list says what to do next', () => {
  show({ rows: [], emptyTitle: 'No favourites', emptyText: 'Tap a star', emptyAction: 'Show all' })
  expect(host.textContent).toContain('No favourites')
  act(() => host.querySelector('button')?.click())
  expect(emit.mock.calls).toEqual([['empty']])
})

test('a list that loads is busy and not called empty', () => {
  show({ rows: undefined, emptyTitle: 'No favourites' }, 'loading')
  expect(host.querySelector('[aria-busy="true"]')).not.toBeNull()
  expect(host.textContent).not.toContain('No favourites')
})
