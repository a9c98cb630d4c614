import * as z from 'zod'

/** Frames of the combined stream of Binance; only the fields that are used. Source: Binance API, "WebSocket Streams". */
const text = z.string().max(41)
const symbolText = z.string().regex(/^[A-Z0-9]{2,20}$/)
const level = z.tuple([text, text])

const trade = z.object({ e: z.literal('trade'), E: z.int(), s: symbolText, t: z.int(), p: text, q: text, m: z.boolean() })
const miniTicker = z.object({ e: z.literal('24hrMiniTicker'), E: z.int(), s: symbolText, c: text, o: text, h: text, l: text, v: text })
const depth = z.object({ lastUpdateId: z.int(), bids: z.array(level).max(20), asks: z.array(level).max(20) })
const frame = z.object({ stream: z.string().max(60), data: z.unknown() })

export type UpstreamFrame =
  | { kind: 'trade'; symbol: string; id: number; price: string; size: string; side: 'buy' | 'sell'; sentAt: number }
  | { kind: 'day'; symbol: string; last: string; open: string; high: string; low: string; volume: string; sentAt: number }
  | { kind: 'depth'; symbol: string; update: number; bids: [string, string][]; asks: [string, string][] }

/** Parses a frame. @returns undefined for anything else, which is counted and ignored */
export function readFrame(json: string): UpstreamFrame | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch {
    return undefined
  }
  const outer = frame.safeParse(parsed)
  if (!outer.success) return undefined
  const [name = '', kind] = outer.data.stream.split('@')
  const symbol = name.toUpperCase()
  if (kind === 'trade') {
    const read = trade.safeParse(outer.data.data)
    // `m` is true when the buyer was the maker, so the seller took.
    return read.success && read.data.s === symbol
      ? {
          kind: 'trade',
          symbol,
          id: read.data.t,
          price: read.data.p,
          size: read.data.q,
          side: read.data.m ? 'sell' : 'buy',
          sentAt: read.data.E,
        }
      : undefined
  }
  if (kind === 'miniTicker') {
    const read = miniTicker.safeParse(outer.data.data)
    if (!read.success || read.data.s !== symbol) return undefined
    const { c, o, h, l, v, E } = read.data
    return { kind: 'day', symbol, last: c, open: o, high: h, low: l, volume: v, sentAt: E }
  }
  if (kind === 'depth20') {
    const read = depth.safeParse(outer.data.data)
    if (!read.success || !symbolText.safeParse(symbol).success) return undefined
    return { kind: 'depth', symbol, update: read.data.lastUpdateId, bids: read.data.bids, asks: read.data.asks }
  }
  return undefined
}

/** Address of the combined stream of these symbols. An address that already names streams is returned unchanged. */
export function streamAddress(base: string, symbols: readonly string[]): string {
  const url = new URL(base)
  if (url.searchParams.has('streams')) return base
  const path = url.pathname.replace(/\/+$/, '')
  url.pathname = path.endsWith('/stream') ? path : `${path}/stream`
  const streams = symbols.flatMap((symbol) => [
    `${symbol.toLowerCase()}@trade`,
    `${symbol.toLowerCase()}@miniTicker`,
    `${symbol.toLowerCase()}@depth20@100ms`,
  ])
  return `${url.toString()}?streams=${streams.join('/')}`
}
