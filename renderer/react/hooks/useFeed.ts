import { useCallback, useEffect, useSyncExternalStore } from 'react'
import type { Candle, Period, Quote, TradePrint } from '#contract/feed.ts'
import type { Book } from '#renderer/feed/feed.ts'
import { useEngine } from '#renderer/react/context.ts'

/** The latest quote of a symbol. Subscribes to it while mounted and draws at most once per frame. */
export function useQuote(symbol: string): Quote | undefined {
  const { feed } = useEngine()
  useEffect(() => feed.wantQuotes([symbol]), [feed, symbol])
  return useSyncExternalStore(
    useCallback((wake: () => void) => feed.onQuote(symbol, wake), [feed, symbol]),
    () => feed.quote(symbol),
  )
}

/** Subscribes to many symbols without drawing. */
export function useQuotes(symbols: readonly string[] | 'all'): void {
  const { feed } = useEngine()
  const key = symbols === 'all' ? 'all' : symbols.join(',')
  useEffect(() => feed.wantQuotes(key === 'all' ? 'all' : key === '' ? [] : key.split(',')), [feed, key])
}

/** Order book of a symbol, best prices first; `stale` while a gap is being closed. */
export function useDepth(symbol: string): Book | undefined {
  const { feed } = useEngine()
  useEffect(() => feed.wantDepth(symbol), [feed, symbol])
  return useSyncExternalStore(
    useCallback((wake: () => void) => feed.onDepth(symbol, wake), [feed, symbol]),
    () => feed.depth(symbol),
  )
}

/** Trades of a symbol, newest first. */
export function useTrades(symbol: string): readonly TradePrint[] {
  const { feed } = useEngine()
  useEffect(() => feed.wantDepth(symbol), [feed, symbol])
  return useSyncExternalStore(
    useCallback((wake: () => void) => feed.onTrades(symbol, wake), [feed, symbol]),
    () => feed.trades(symbol),
  )
}

/** The candle that is open now, or was just closed. */
export function useCandle(symbol: string, period: Period): { candle: Candle; final: boolean } | undefined {
  const { feed } = useEngine()
  useEffect(() => feed.wantCandles(symbol, period), [feed, symbol, period])
  return useSyncExternalStore(
    useCallback((wake: () => void) => feed.onCandle(symbol, period, wake), [feed, symbol, period]),
    () => feed.candle(symbol, period),
  )
}

export interface FeedHealth {
  state: 'connected' | 'connecting' | 'down'
}

export function useFeedHealth(): FeedHealth {
  const { feed } = useEngine()
  return useSyncExternalStore(feed.onHealth, feed.health)
}

/**
 * How old the price of a symbol is now, in milliseconds; undefined before the first quote. Without a symbol: the time since the last message.
 * Not reactive: read it on a clock.
 */
export function useQuoteAge(): (symbol?: string) => number | undefined {
  const { feed } = useEngine()
  return useCallback((symbol) => (symbol === undefined ? feed.silenceMs() : feed.age(symbol)), [feed])
}

/** Reads the latest quote of a symbol without drawing when it moves: for sorting at the moment of a press. */
export function useQuoteReader(): (symbol: string) => Quote | undefined {
  const { feed } = useEngine()
  return useCallback((symbol) => feed.quote(symbol), [feed])
}
