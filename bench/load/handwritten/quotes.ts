import { useCallback, useEffect, useSyncExternalStore } from 'react'
import type { Quote } from '#contract/calls/market.calls.ts'

/** Latest quotes by symbol; listeners are called once per frame. */
const quotes = new Map<string, Quote>()
const listeners = new Map<string, Set<() => void>>()
const changed = new Set<string>()
let socket: WebSocket | undefined
let wanted = ''
let wantedBook = ''
type Levels = readonly (readonly [string, string])[]
export interface Depth {
  bids: Levels
  asks: Levels
}
const books = new Map<string, Depth>()

function flush(): void {
  for (const symbol of changed) for (const wake of listeners.get(symbol) ?? []) wake()
  changed.clear()
}

const say = (message: object) => socket?.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message))
const ask = () => {
  if (wanted) say({ action: 'getQuota', symbols: wanted.split(',') })
  if (wantedBook) say({ action: 'getDepth', symbol: wantedBook })
}

function changedSide(side: Levels, delta: Levels, isBids: boolean): Levels {
  const levels = new Map(side)
  for (const [price, size] of delta) {
    if (Number(size) === 0) levels.delete(price)
    else levels.set(price, size)
  }
  return [...levels].sort(([a], [b]) => (isBids ? Number(b) - Number(a) : Number(a) - Number(b)))
}
function takeBook({ symbol, type, bids, asks }: { symbol: string; type: string } & Depth): void {
  const before = books.get(symbol)
  const isDelta = type === 'delta' && before
  books.set(symbol, isDelta ? { bids: changedSide(before.bids, bids, true), asks: changedSide(before.asks, asks, false) } : { bids, asks })
  if (changed.size === 0) requestAnimationFrame(flush)
  changed.add(symbol)
}

export function connect(): void {
  socket = new WebSocket(`ws://${location.host}/ws`)
  socket.onopen = () => {
    say({ action: 'checkToken', v: 2 })
    ask()
  }
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as { action: string; data?: Quote[] }
    if (message.action === 'getDepth') return takeBook(message as never)
    if (message.action !== 'getQuota' || !message.data) return
    if (changed.size === 0) requestAnimationFrame(flush)
    for (const quote of message.data) {
      quotes.set(quote.symbol, quote)
      changed.add(quote.symbol)
    }
  }
}

export function useWanted(symbols: readonly string[], book = ''): void {
  const key = symbols.join(',')
  useEffect(() => {
    wanted = key
    wantedBook = book
    ask()
  }, [key, book])
}

function useChanges(symbol: string) {
  return useCallback(
    (wake: () => void) => {
      const set = listeners.get(symbol) ?? new Set()
      listeners.set(symbol, set.add(wake))
      return () => void set.delete(wake)
    },
    [symbol],
  )
}
export const useQuote = (symbol: string): Quote | undefined => useSyncExternalStore(useChanges(symbol), () => quotes.get(symbol))
export const useBook = (symbol: string): Depth | undefined => useSyncExternalStore(useChanges(symbol), () => books.get(symbol))
