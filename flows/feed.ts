import { sampleAnswer } from '#contract/samples.ts'
import type { Catalog } from '#language/types/catalog.ts'

/**
 * Simulates the server side of the socket: one message in, messages out. Prices are fixed, so that screenshots are always the same.
 * @param onPrivate called when a customer subscribes to changes; returns the number of the last message. Without it there are no changes
 */
export function createSampleFeed(catalog: Catalog, now: () => number, onPrivate?: () => number): (text: string) => string[] {
  const listed = catalog.calls.find(({ name }) => name === 'market.quotation')
  const rows = listed
    ? (sampleAnswer(listed, {}, { rows: 8, atMs: now() }) as { list?: { quote24h: { symbol: string; last: string } }[] }).list
    : []
  const quotes = (rows ?? []).map(({ quote24h }) => quote24h)
  let seq = 0
  const levels = (last: number, side: 1 | -1) =>
    Array.from({ length: 10 }, (_, i) => [String(Number((last * (1 + (side * (i + 1)) / 2_000)).toPrecision(8))), String(1 + i * 0.5)])
  return (text) => {
    let asked: { action?: string; symbol?: string; off?: boolean; token?: string }
    try {
      asked = JSON.parse(text)
    } catch {
      return []
    }
    seq += 1
    if (asked.off) return []
    const said = (message: object) => [JSON.stringify({ action: asked.action, ...message })]
    if (asked.action === 'checkToken') {
      const own = onPrivate && asked.token !== undefined && { private: { seq: onPrivate(), resumed: false } }
      return said({ data: { uid: null, heartbeatMs: 15_000, epoch: 'sample', ...own } })
    }
    if (asked.action === 'ping') return said({ ts: now() })
    if (asked.action === 'getQuota') return said({ data: quotes.map((quote) => ({ ...quote, ts: now(), seq })), full: true })
    if (asked.action === 'getDepth') {
      const last = Number(quotes.find(({ symbol }) => symbol === asked.symbol)?.last ?? '100')
      const book = { bids: levels(last, -1), asks: levels(last, 1), trades: [], ts: now() }
      return said({ symbol: asked.symbol, type: 'snap', epoch: 'sample', seq, ...book })
    }
    return []
  }
}
