import { createServer } from 'node:http'
import { WebSocket } from 'ws'
import { attachFeed } from '#api-server/feed/feed.ts'
import { createFeed } from '#renderer/io/feed.ts'
import { systemTimers } from '#renderer/io/retry.ts'
const symbols = Array.from({ length: 30 }, (_, i) => `SYM${i}USDT`)
const q = new Map(symbols.map((s) => [s, { symbol: s, last: '1', open24h: '1', high24h: '1', low24h: '1', volume24h: '1', change: '0', ts: Date.now(), seq: 0 }]))
let bids: any[] = [], trades: any[] = [], n = 0
const L: any[] = []
const market = { symbols: () => symbols, quote: (s: string) => q.get(s), trades: () => trades, depth: () => ({ bids, asks: bids.map(([p, s]: any) => [String(Number(p) + 100), s]) }), openCandle: () => ({ time: 1, open: '1', high: '1', low: '1', close: String(n), volume: '1' }), listen: (l: any) => (L.push(l), () => L.splice(L.indexOf(l), 1)) }
const move = setInterval(() => {
  n++
  for (const s of symbols) { const o = q.get(s)!; q.set(s, { ...o, last: String(n), ts: Date.now(), seq: o.seq + 1 }); for (const l of L) l.ticked(s) }
  bids = Array.from({ length: 20 }, (_, i) => [(50 + ((n + i * 7) % 60) / 4).toFixed(2), String(1 + ((n * i) % 9))]).filter((b, i, a) => a.findIndex((c) => c[0] === b[0]) === i).sort((a, b) => Number(b[0]) - Number(a[0]))
  trades = [...trades, { id: String(n), price: '1', size: '1', side: 'buy', ts: Date.now() }].slice(-50)
}, 50)
const log: any = { debug() {}, warn: console.log, info() {} }
const port = 45871
const serve = () => { const http = createServer(); const feed = attachFeed(http, { market: market as any, sessions: { check: async (t) => (t === 'good' ? { uid: '1' } : undefined) }, clock: { now: () => Date.now() + 5000 }, log, origins: [] }); http.listen(port, '127.0.0.1'); return { http, feed } }
let server = serve()
let drop = 0.2, frames = 0, token: string | undefined
const feed = createFeed({
  url: `ws://127.0.0.1:${port}/ws`, now: () => performance.timeOrigin + performance.now(), timers: systemTimers, random: Math.random, token: () => token,
  frame: (r) => { frames++; setTimeout(r, 16) },
  page: { visible: () => true, onShow: () => () => {}, onOnline: () => () => {} },
  createSocket: (url) => { const ws = new WebSocket(url, { origin: `http://127.0.0.1:${port}` }); const s: any = { send: (t: string) => ws.send(t), close: () => ws.close(), onopen: null, onmessage: null, onclose: null, onerror: null }
    ws.on('open', () => s.onopen?.({})); ws.on('message', (d) => { const t = String(d); if (t.includes('getDepth') && Math.random() < drop) return; s.onmessage?.({ data: t }) }); ws.on('close', (code) => s.onclose?.({ code })); ws.on('error', () => s.onerror?.({})); return s },
})
for (const e of ['auth', 'invalid-message', 'connect-error'] as const) feed.on(e, (d) => console.log('EVENT', e, d))
feed.onHealth(() => console.log(Math.round(performance.now()), 'health', feed.health().state))
feed.wantQuotes('all'); feed.wantDepth(symbols[0]!); feed.wantCandles(symbols[0]!, '1m')
let wakes = 0; feed.onQuote(symbols[0]!, () => wakes++)
feed.start()
const sleep = (ms: number) => new Promise((r) => setTimeout(r, ms))
await sleep(6000)
let stale = 0, checks = 0; for (let i = 0; i < 100; i++) { await sleep(50); checks++; if (feed.depth(symbols[0]!)?.stale) stale++ }
console.log('quote', feed.quote(symbols[0]!)?.last, 'of', n, 'age', Math.round(feed.age(symbols[0]!, performance.timeOrigin + performance.now())!), 'wakes', wakes, 'stale share at 20% loss', stale / checks, 'candle', feed.candle(symbols[0]!, '1m')?.candle.close, 'trades', feed.trades(symbols[0]!)[0]?.id, feed.trades(symbols[0]!).length)
drop = 0; await sleep(2500); clearInterval(move); await sleep(600)
const same = JSON.stringify(feed.depth(symbols[0]!)?.bids) === JSON.stringify(bids)
console.log('book equals server', same, feed.depth(symbols[0]!)?.stale, 'unique trades', new Set(feed.trades(symbols[0]!).map((t) => t.id)).size)
token = 'bad'; feed.reconnect(); await sleep(500); console.log('counts', server.feed.counts())
await server.feed.stop(); server.http.close(); console.log(Math.round(performance.now()), 'stopped'); await sleep(1000); server = serve(); console.log(Math.round(performance.now()), 'started')
await sleep(6000); console.log('after', feed.health().state, feed.depth(symbols[0]!)?.stale, server.feed.counts())
feed.stop(); await server.feed.stop(); server.http.close(); process.exit(0)
