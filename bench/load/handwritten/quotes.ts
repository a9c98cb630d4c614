import { useCallback, useEffect, useSyncExternalStore } from 'react'
import type { Quote } from '#contract/calls/market.calls.ts'

/** Latest quotes by symbol; listeners are called once per frame. */
const quotes = new Map<string, Quote>()
const listeners = new Map<string, Set<() => void>>()
const changed = new Set<string>()
let socket: WebSocket | undefined
let wanted = ''

function flush(): void {
  for (const symbol of changed) for (const wake of listeners.get(symbol) ?? []) wake()
  changed.clear()
}

const say = (message: object) => socket?.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message))
const ask = () => wanted && say({ action: 'getQuota', symbols: wanted.split(',') })

export function connect(): void {
  socket = new WebSocket(`ws://${location.host}/ws`)
  socket.onopen = () => {
    say({ action: 'checkToken', v: 2 })
    ask()
  }
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as { action: string; data?: Quote[] }
    if (message.action !== 'getQuota' || !message.data) return
    if (changed.size === 0) requestAnimationFrame(flush)
    for (const quote of message.data) {
      quotes.set(quote.symbol, quote)
      changed.add(quote.symbol)
    }
  }
}

export function useWanted(symbols: readonly string[]): void {
  const key = symbols.join(',')
  useEffect(() => {
    wanted = key
    ask()
  }, [key])
}

export function useQuote(symbol: string): Quote | undefined {
  const subscribe = useCallback(
    (wake: () => void) => {
      const set = listeners.get(symbol) ?? new Set()
      listeners.set(symbol, set.add(wake))
      return () => void set.delete(wake)
    },
    [symbol],
  )
  return useSyncExternalStore(subscribe, () => quotes.get(symbol))
}
