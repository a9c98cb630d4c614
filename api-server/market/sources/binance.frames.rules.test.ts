import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readFrame, streamAddress } from '#api-server/market/sources/binance.frames.rules.ts'

const samples = readFileSync(join(import.meta.dirname, 'testdata/frames.jsonl'), 'utf8')
  .trim()
  .split('\n')

test('every sample frame is parsed', () => {
  const kinds = samples.map((line) => readFrame(line)?.kind)
  expect(kinds).not.toContain(undefined)
  expect(new Set(kinds)).toEqual(new Set(['trade', 'day', 'depth']))
})

test('a trade says which side took', () => {
  const frame = (m: boolean) =>
    JSON.stringify({
      stream: 'btcusdt@trade',
      data: { e: 'trade', E: 5, s: 'BTCUSDT', t: 9, p: '61234.50000000', q: '0.00100000', T: 4, m, M: true },
    })
  expect(readFrame(frame(true))).toEqual({
    kind: 'trade',
    symbol: 'BTCUSDT',
    id: 9,
    price: '61234.50000000',
    size: '0.00100000',
    side: 'sell',
    sentAt: 5,
  })
  expect(readFrame(frame(false))).toMatchObject({ side: 'buy' })
})

test.each([
  ['no JSON', '{'],
  ['nothing', ''],
  ['a list', '[]'],
  ['null', 'null'],
  ['an answer to a request', '{"result":null,"id":1}'],
  ['an unknown stream', '{"stream":"btcusdt@kline_1m","data":{}}'],
  ['a stream of another symbol', '{"stream":"ethusdt@trade","data":{"e":"trade","E":1,"s":"BTCUSDT","t":1,"p":"1","q":"1","m":true}}'],
  ['a price that is a number', '{"stream":"btcusdt@trade","data":{"e":"trade","E":1,"s":"BTCUSDT","t":1,"p":1,"q":"1","m":true}}'],
  [
    'a price that is too long',
    `{"stream":"btcusdt@trade","data":{"e":"trade","E":1,"s":"BTCUSDT","t":1,"p":"${'1'.repeat(50)}","q":"1","m":true}}`,
  ],
  [
    'too many levels',
    JSON.stringify({ stream: 'btcusdt@depth20@100ms', data: { lastUpdateId: 1, bids: Array(21).fill(['1', '1']), asks: [] } }),
  ],
  ['a level with three entries', '{"stream":"btcusdt@depth20@100ms","data":{"lastUpdateId":1,"bids":[["1","1","1"]],"asks":[]}}'],
])('%s is not a frame', (_name, text) => {
  expect(readFrame(text)).toBeUndefined()
})

test.each([
  ['wss://stream.example.com:9443', 'wss://stream.example.com:9443/stream?streams=btcusdt@trade/btcusdt@miniTicker/btcusdt@depth20@100ms'],
  ['ws://127.0.0.1:1/stream/', 'ws://127.0.0.1:1/stream?streams=btcusdt@trade/btcusdt@miniTicker/btcusdt@depth20@100ms'],
  ['wss://a.example/stream?streams=x@trade', 'wss://a.example/stream?streams=x@trade'],
])('the address of %s', (base, address) => {
  expect(streamAddress(base, ['BTCUSDT'])).toBe(address)
})
