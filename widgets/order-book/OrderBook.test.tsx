import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DepthLevel } from '#contract/feed.ts'
import { OrderBook } from '#widgets/order-book/OrderBook.tsx'
import type { OrderBookProps } from '#widgets/order-book/order-book.props.ts'

type Book = { bids: DepthLevel[]; asks: DepthLevel[]; stale: boolean } | undefined
const feed = vi.hoisted(() => ({ book: undefined as unknown }))
vi.mock('#renderer/widget-api.ts', () => ({
  useDepth: () => feed.book,
  useQuote: () => ({ last: '100.1', change: '0.01' }),
  useEngineText: () => (key: string, args?: Record<string, string>) => (args ? `${key} ${Object.values(args).join(' ')}` : key),
  useFormat: () => format,
}))
const format = vi.hoisted(() => ({
  price: (text: string) => text,
  amount: (text: string) => text,
  compact: (text: string) => text,
  percent: (text: string) => text,
}))

const full: Book = {
  bids: [
    ['100.0', '1'],
    ['99.9', '2'],
    ['99.0', '3'],
  ],
  asks: [
    ['100.2', '1'],
    ['100.3', '2'],
  ],
  stale: false,
}

let host: HTMLElement
let root: Root
const emit = vi.fn()
function show(book: Book, layout?: 'stacked' | 'sides', own?: OrderBookProps['own']) {
  feed.book = book
  const props = { symbol: 'BTCUSDT', tick: '0.1', levels: 3, layout, own }
  const rest = { busy: false, enabled: true, status: 'ready' as const, retry: () => undefined, slots: {} as never }
  act(() => root.render(<OrderBook root={{ 'data-node': 'book' }} props={props} emit={emit} {...rest} />))
}
const rows = (side: string) => [...host.querySelectorAll<HTMLButtonElement>(`[data-side="${side}"] button`)]
const prices = (side: string) => rows(side).map((row) => row.firstChild?.textContent)

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  host = document.body.appendChild(document.createElement('div'))
  root = createRoot(host)
  emit.mockClear()
})
afterEach(() => {
  act(() => root.unmount())
  host.remove()
})

test('asks stand above with the best at the bottom, bids below with the best at the top', () => {
  show(full)
  expect(prices('asks')).toEqual(['100.3', '100.2'])
  expect(prices('bids')).toEqual(['100.0', '99.9', '99.0'])
  expect(host.querySelector('[data-side]')?.getAttribute('data-side')).toBe('asks')
})

test('side by side both begin with the best, bids first', () => {
  show(full, 'sides')
  expect(prices('asks')).toEqual(['100.2', '100.3'])
  expect(host.querySelector('[data-side]')?.getAttribute('data-side')).toBe('bids')
})

test('a side without orders says so, and a book that is on its way does not', () => {
  const words = (side: string) => host.querySelector(`[data-side="${side}"]`)?.textContent
  show({ bids: [], asks: [], stale: false })
  expect([words('bids'), words('asks')]).toEqual(['widget.chart_bids_none', 'widget.chart_asks_none'])
  show({ bids: [['100.0', '1']], asks: [], stale: false })
  expect(words('asks')).toBe('widget.chart_asks_none')
  expect(rows('bids')).toHaveLength(1)
  show({ bids: [], asks: [], stale: true })
  expect([words('bids'), words('asks')]).toEqual(['', ''])
  show(undefined)
  expect([words('bids'), words('asks')]).toEqual(['', ''])
})

test('a press gives the price of the row, once, and nothing else', () => {
  show(full)
  act(() => rows('asks')[1]?.click())
  expect(emit.mock.calls).toEqual([['price', '100.2']])
})

test('a row says what it is', () => {
  show(full)
  expect(rows('bids')[1]?.getAttribute('aria-label')).toBe('widget.chart_bid_row 99.9 2 3')
})

test('a larger step adds up, bids downwards', () => {
  show(full)
  const select = host.querySelector('select')!
  expect([...select.options].map((option) => option.text)).toEqual(['0.1', '1', '5', '10'])
  act(() => {
    select.value = '10'
    select.dispatchEvent(new Event('change', { bubbles: true }))
  })
  expect(prices('bids')).toEqual(['100.0', '99.0'])
  expect(prices('asks')).toEqual(['101.0'])
})

test('rows with orders of the customer are marked and say so, and a larger step keeps them', () => {
  const marked = (side: string) => rows(side).flatMap((row) => (row.dataset.own ? [row.getAttribute('aria-label')] : []))
  show(full, 'stacked', [
    { price: '99.90', side: 'buy' },
    { price: '100.2', side: 'buy' },
    { price: '100.3', side: 'sell' },
    { price: null, side: 'sell' },
  ])
  expect(marked('bids')).toEqual(['widget.chart_bid_row_own 99.9 2 3'])
  expect(marked('asks')).toEqual(['widget.chart_ask_row_own 100.3 2 3'])
  const select = host.querySelector('select')!
  act(() => {
    select.value = '10'
    select.dispatchEvent(new Event('change', { bubbles: true }))
  })
  expect(marked('bids')).toEqual(['widget.chart_bid_row_own 100.0 1 1', 'widget.chart_bid_row_own 99.0 5 6'])
  show(full)
  expect(marked('bids')).toEqual([])
})

test('tab enters a side once, arrows move within it and do not emit', () => {
  show(full)
  expect(rows('bids').map((row) => row.tabIndex)).toEqual([0, -1, -1])
  rows('bids')[0]?.focus()
  act(() => void document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true })))
  expect(document.activeElement).toBe(rows('bids')[1])
  expect(rows('bids').map((row) => row.tabIndex)).toEqual([-1, 0, -1])
  expect(emit).not.toHaveBeenCalled()
})

test('a new book changes words, not elements', () => {
  show(full)
  const before = rows('bids')
  show({ ...full!, bids: [['100.1', '9'], ...full!.bids.slice(1)] })
  expect(rows('bids')).toEqual(before)
  expect(prices('bids')[0]).toBe('100.1')
})

test.each<[string, Book, string]>([
  ['a stale book says that it is being updated', { ...full!, stale: true }, 'widget.chart_updating'],
  ['no book yet is loading', undefined, 'widget.chart_loading'],
])('%s', (_, book, word) => {
  show(book)
  expect(host.querySelector('[role="status"]')?.textContent).toBe(word)
  expect(host.querySelector('[data-node="book"]')?.getAttribute('aria-busy')).toBe('true')
})

test('a fresh book is neither', () => {
  show(full)
  expect(host.querySelector('[role="status"]')?.textContent).toBe('')
})
