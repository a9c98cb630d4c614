import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { instrumentSeeds, withUnits } from '#api-server/market/instruments.ts'
import { type BinanceSource, createBinanceSource } from '#api-server/market/sources/binance.source.ts'
import type { Tick } from '#api-server/market/sources/source.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { eventually } from '#tests/support/eventually.ts'

const frames = readFileSync(join(import.meta.dirname, 'testdata/frames.jsonl'), 'utf8')
  .trim()
  .split('\n')
const sampledAt = 1_795_174_860_000
const instruments = instrumentSeeds.map((seed) => withUnits({ ...seed, historyEnd: null }))

let upstream: WebSocketServer
let sockets: WebSocket[]
let asked: string[]
let source: BinanceSource
let ticks: Tick[]
let now: number

/** Starts a source on the stub. The limit of silence is long unless a test needs it. */
async function begin(silenceMs = 20_000): Promise<void> {
  const { port } = upstream.address() as AddressInfo
  source = createBinanceSource(instruments, { url: `ws://127.0.0.1:${port}`, log: createLog('silent'), retryMinMs: 20, silenceMs })
  source.start((list) => ticks.push(...list), { now: () => now }, new Map())
  await eventually(() => sockets.length).toBe(1)
}

beforeEach(async () => {
  upstream = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((done) => upstream.once('listening', done))
  sockets = []
  asked = []
  ticks = []
  now = sampledAt + 2_000
  upstream.on('connection', (socket, request) => {
    sockets.push(socket)
    asked.push(request.url ?? '')
  })
  await begin()
})
afterEach(async () => {
  source.stop()
  for (const socket of sockets) socket.terminate()
  await new Promise((done) => upstream.close(done))
})

const play = async (list: readonly string[], expectedFrames: number) => {
  for (const frame of list) sockets.at(-1)!.send(frame)
  await eventually(() => source.counts().frames).toBe(expectedFrames)
}
const trade = (over: object) =>
  JSON.stringify({
    stream: 'btcusdt@trade',
    data: { e: 'trade', E: now, s: 'BTCUSDT', t: 9_000_000_001, p: '94000.00000000', q: '0.10000000', T: now, m: false, ...over },
  })

test('sample frames become ticks, an order book and statistics of 24 hours', async () => {
  await play(frames, frames.length)
  expect(asked[0]).toContain('/stream?streams=btcusdt@trade/btcusdt@miniTicker/btcusdt@depth20@100ms/ethusdt@trade')
  expect(asked[0]).not.toContain('aapl')
  expect(source.counts()).toMatchObject({ refused: 0, late: 0 })
  const trades = frames.filter((line) => line.includes('@trade"')).length
  expect(ticks.filter((tick) => tick.size > 0)).toHaveLength(trades)
  expect(ticks.at(-1)).toEqual({ symbol: 'BTCUSDT', price: 9_400_036, size: 120, side: 'buy', time: now })
  expect(source.dayStats('BTCUSDT')).toEqual({ open: 9_329_273, high: 9_447_770, low: 9_086_589, volume: 2_473_645_283 })
  const book = source.depth('BTCUSDT', 0, now)!
  expect(book.bids).toHaveLength(20)
  expect(book.bids[0]![0]).toBeLessThan(book.asks[0]![0])
  expect(book.bids[0]![0]).toBe(9_400_034)
  expect(source.depth('BTCUSDT', 0, now + 60_000)).toBeUndefined()
  expect(source.depth('AAPLUSDT', 0, now)).toBeUndefined()
})

test('the summary gives a price only while there are no trades', async () => {
  const [summary] = frames
  await play([summary!], 1)
  expect(ticks).toEqual([{ symbol: 'BTCUSDT', price: 9_399_659, size: 0, side: 'buy', time: now }])
  await play([trade({}), summary!], 3)
  expect(ticks).toHaveLength(2)
})

test.each([
  ['no JSON', '{', 'refused'],
  ['an unknown symbol', trade({}).replaceAll('btcusdt', 'nosuch').replaceAll('BTCUSDT', 'NOSUCH'), 'refused'],
  ['finer than the price step', trade({ p: '94000.00100000' }), 'refused'],
  ['a price of zero', trade({ p: '0.00000000' }), 'refused'],
  ['a negative price', trade({ p: '-1.00' }), 'refused'],
  [
    'a crossed book',
    '{"stream":"btcusdt@depth20@100ms","data":{"lastUpdateId":1,"bids":[["5.0","1.0"]],"asks":[["5.0","1.0"]]}}',
    'refused',
  ],
  ['sent long ago', trade({ E: sampledAt - 60_000 }), 'late'],
] as const)('%s makes no tick', async (_name, frame, count) => {
  await play([frame], 1)
  expect(ticks).toEqual([])
  expect(source.counts()[count]).toBe(1)
})

test('a trade that arrives twice gives one tick', async () => {
  await play([trade({}), trade({}), trade({ t: 9_000_000_000 }), trade({ t: 9_000_000_002 })], 4)
  expect(ticks).toHaveLength(2)
})

test('the source reconnects after a closed connection, silence and an oversized frame, and not after stop', async () => {
  source.stop()
  sockets = []
  await begin(1_500)
  sockets[0]!.terminate()
  await eventually(() => sockets.length).toBe(2)
  await play([trade({})], 1)
  await eventually(() => sockets.length).toBe(3) // The third connection follows the limit of silence.
  sockets[2]!.send('x'.repeat(300_000))
  await eventually(() => sockets.length).toBe(4)
  await play([trade({ t: 9_000_000_002 })], 2)
  expect(ticks).toHaveLength(2)
  source.stop()
  await new Promise((wake) => setTimeout(wake, 200))
  expect(sockets).toHaveLength(4)
  expect(source.counts().reconnects).toBe(3)
})
