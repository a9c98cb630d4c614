import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Candle, Quote } from '#contract/calls/market.calls.ts'
import type { DepthLevel, DepthMessage, FeedMessage } from '#contract/feed.ts'
import { eventually } from '#tests/support/eventually.ts'
import { applySide } from '#tests/support/feed/feed-client.ts'
import { openStage, type Stage } from '#tests/support/feed/feed-stage.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.end())

const isQuota = (message: FeedMessage) => message.action === 'getQuota'
const isDepth = (message: FeedMessage) => message.action === 'getDepth'
const isKline = (message: FeedMessage) => message.action === 'kline'
const rows = (message: FeedMessage) => (message as { data: Quote[] }).data.map(({ symbol, last }) => `${symbol} ${last}`)
const candle = (time: number, close: string): Candle => ({ time, open: '100', high: '110', low: '90', close, volume: '1' })

/** When the answer to this ping arrives, everything sent before has arrived. */
async function settled(client: Awaited<ReturnType<Stage['client']>>) {
  const before = client.messages.filter((one) => one.action === 'ping').length
  client.send({ action: 'ping' })
  await eventually(() => client.messages.filter((one) => one.action === 'ping').length).toBeGreaterThan(before)
}

test('quotes: the whole list at first, then the latest change of changed rows', async () => {
  const client = await stage.extended()
  client.send({ action: 'getQuota' })
  const whole = await client.next(isQuota)
  expect(whole).toMatchObject({ full: true })
  expect(rows(whole)).toEqual(['BTCUSDT 100', 'ETHUSDT 100', 'XAUUSDT 100'])
  stage.beat() // Changed before the subscription.
  await settled(client)
  client.clear()
  stage.market.tick('ETHUSDT', '101')
  stage.market.tick('ETHUSDT', '102')
  stage.beat()
  const changed = await client.next(isQuota)
  expect(changed).not.toHaveProperty('full')
  expect(rows(changed)).toEqual(['ETHUSDT 102'])
  client.clear()
  stage.beat()
  await settled(client)
  expect(client.messages.filter(isQuota)).toEqual([])
})

test('quotes of some symbols, asked again with connect, and ended with off', async () => {
  const client = await stage.client()
  client.send({ action: 'getQuota', symbols: ['XAUUSDT', 'NOSUCH'] })
  expect(rows(await client.next(isQuota))).toEqual(['XAUUSDT 100'])
  stage.beat()
  await settled(client)
  client.clear()
  stage.market.tick('BTCUSDT', '1')
  stage.beat()
  await settled(client)
  expect(client.messages.filter(isQuota)).toEqual([])
  client.send({ action: 'getQuota', connect: true })
  expect(rows(await client.next(isQuota))).toEqual(['XAUUSDT 100'])
  client.send({ action: 'getQuota', off: true })
  await settled(client)
  client.clear()
  stage.market.tick('XAUUSDT', '2')
  stage.beat()
  await settled(client)
  expect(client.messages.filter(isQuota)).toEqual([])
})

test('an unknown symbol is refused alone: the others get prices', async () => {
  const client = await stage.client()
  client.send({ action: 'getQuota', symbols: ['XAUUSDT', '', 'NOSUCH', 'btc/usdt'] })
  expect(rows(await client.next(isQuota))).toEqual(['XAUUSDT 100'])
  const refused = await client.next((message) => message.action === 'ping' && 'error' in message)
  expect(refused).toMatchObject({ error: 'symbol_unknown', of: 'getQuota', symbols: ['', 'NOSUCH', 'btc/usdt'] })
  stage.beat()
  client.clear()
  stage.market.tick('XAUUSDT', '1')
  stage.beat()
  expect(rows(await client.next(isQuota))).toEqual(['XAUUSDT 1'])
})

test('a plain client gets plain messages only: the six actions, whole books, no flags', async () => {
  const client = await stage.client()
  for (const request of [
    { action: 'checkToken' },
    { action: 'getQuota' },
    { action: 'getDepth', symbol: 'BTCUSDT' },
    { action: 'kline', symbol: 'BTCUSDT', period: '1m' },
  ])
    client.send(request)
  await client.next(isDepth)
  stage.market.candle('BTCUSDT', '1m', candle(0, '100'))
  stage.market.book('BTCUSDT', [['99', '1']], [['101', '1']])
  stage.market.trade('BTCUSDT', '100')
  stage.market.tick('BTCUSDT', '100')
  stage.beat()
  stage.market.book('BTCUSDT', [['99', '1']], [['102', '5']])
  stage.market.close('BTCUSDT', '1m', candle(0, '104'))
  stage.beat()
  stage.heartbeat()
  await settled(client)
  const allowed: Record<string, string[]> = {
    checkToken: ['action', 'data'],
    getQuota: ['action', 'data'],
    getDepth: ['action', 'symbol', 'epoch', 'seq', 'ts', 'type', 'bids', 'asks'],
    kline: ['action', 'symbol', 'period', 'data'],
    ping: ['action', 'ts'],
  }
  for (const message of client.messages) expect(Object.keys(message).filter((key) => !allowed[message.action]?.includes(key))).toEqual([])
  const books = client.messages.filter(isDepth) as DepthMessage[]
  expect(books.map(({ type, bids, asks }) => [type, bids, asks])).toEqual([
    ['snap', [], []],
    ['snap', [['99', '1']], [['101', '1']]],
    ['snap', [['99', '1']], [['102', '5']]],
  ])
  // A client that does not see trades gets no message for trades alone.
  client.clear()
  stage.market.trade('BTCUSDT', '100')
  stage.beat()
  await settled(client)
  expect(client.messages.filter(isDepth)).toEqual([])
})

/** Moves the book; equal steps give equal books. */
function moveBook(step: number): [DepthLevel[], DepthLevel[]] {
  const mid = 1_000 + ((step * 7) % 13)
  const level = (price: number): DepthLevel => [String(price), String(1 + ((price * 31 + step * (price % 3)) % 9))]
  return [Array.from({ length: 24 }, (_, i) => level(mid - i)), Array.from({ length: 24 }, (_, i) => level(mid + 1 + i))]
}
const topOf = (step: number) => moveBook(step).map((side) => side.slice(0, 20))

test('a sequence of deltas gives the book and the trades, also after a lost message and a new snapshot', async () => {
  const client = await stage.extended('trades')
  stage.market.book('BTCUSDT', ...moveBook(0))
  stage.market.trade('BTCUSDT', '1')
  client.send({ action: 'getDepth', symbol: 'BTCUSDT' })
  await client.next(isDepth)
  for (let step = 1; step <= 40; step++) {
    stage.market.book('BTCUSDT', ...moveBook(step))
    stage.market.trade('BTCUSDT', String(step))
    stage.beat()
  }
  await settled(client)
  const messages = client.messages.filter(isDepth) as DepthMessage[]
  expect(messages.map(({ type }) => type)).toEqual(['snap', ...Array(40).fill('delta')])
  let { bids, asks, seq, epoch } = messages[0]!
  const trades = [...messages[0]!.trades!]
  for (const delta of messages.slice(1)) {
    expect([delta.prev, delta.epoch]).toEqual([seq, epoch])
    bids = applySide(bids, delta.bids, true)
    asks = applySide(asks, delta.asks, false)
    trades.push(...(delta.trades ?? []))
    seq = delta.seq
  }
  expect([bids, asks]).toEqual(topOf(40))
  expect(trades.map(({ price }) => Number(price))).toEqual([1, ...Array.from({ length: 40 }, (_, i) => i + 1)])

  // The client drops one message, notices that `prev` does not fit and asks again.
  client.clear()
  stage.market.book('BTCUSDT', ...moveBook(41))
  stage.beat()
  client.send({ action: 'getDepth', symbol: 'BTCUSDT' })
  const snap = (await client.next((message) => isDepth(message) && (message as DepthMessage).type === 'snap')) as DepthMessage
  expect([snap.bids, snap.asks]).toEqual(topOf(41))
  expect(snap.seq).toBe(seq + 1)
  stage.market.book('BTCUSDT', ...moveBook(42))
  stage.beat()
  const next = (await client.next((message) => isDepth(message) && (message as DepthMessage).seq === seq + 2)) as DepthMessage
  expect(next.prev).toBe(snap.seq)
  expect([applySide(snap.bids, next.bids, true), applySide(snap.asks, next.asks, false)]).toEqual(topOf(42))
})

test('without the cap there are no trades, and no gap in the numbers', async () => {
  const client = await stage.extended()
  client.send({ action: 'getDepth', symbol: 'BTCUSDT' })
  const { seq } = (await client.next(isDepth)) as DepthMessage
  client.clear()
  stage.market.trade('BTCUSDT', '100')
  stage.beat()
  const delta = (await client.next(isDepth)) as DepthMessage
  expect(delta).toMatchObject({ type: 'delta', prev: seq, seq: seq + 1, bids: [], asks: [] })
  expect(delta).not.toHaveProperty('trades')
})

test('numbers of a book continue after all clients have left, so that no old delta fits', async () => {
  const client = await stage.extended()
  client.send({ action: 'getDepth', symbol: 'BTCUSDT' })
  const first = (await client.next(isDepth)) as DepthMessage
  client.send({ action: 'getDepth', symbol: 'BTCUSDT', off: true })
  await settled(client)
  client.clear()
  client.send({ action: 'getDepth', symbol: 'BTCUSDT' })
  expect(((await client.next(isDepth)) as DepthMessage).seq).toBeGreaterThan(first.seq)
})

test('candles: the open one at once and at most every second interval, a closed one once and final', async () => {
  const client = await stage.extended()
  stage.market.candle('BTCUSDT', '1m', candle(0, '100'))
  client.send({ action: 'kline', symbol: 'BTCUSDT', period: '1m' })
  expect(await client.next(isKline)).toMatchObject({ symbol: 'BTCUSDT', period: '1m', data: { close: '100' } })
  client.clear()
  for (const close of ['101', '102', '103', '104']) {
    stage.market.candle('BTCUSDT', '1m', candle(0, close))
    stage.beat()
  }
  stage.market.close('BTCUSDT', '1m', candle(0, '104'))
  stage.market.close('BTCUSDT', '5m', candle(0, '104'))
  stage.market.close('ETHUSDT', '1m', candle(0, '104'))
  stage.market.candle('BTCUSDT', '1m', candle(60_000, '105'))
  stage.beat()
  stage.beat()
  stage.beat()
  await settled(client)
  const got = client.messages.filter(isKline) as Extract<FeedMessage, { action: 'kline' }>[]
  expect(got.map(({ data, final }) => `${data.close}${final ? ' final' : ''}`)).toEqual(['102', '104', '104 final', '105'])
})

test.each([
  [{ action: 'checkToken' }, { data: { uid: null, heartbeatMs: 15_000 } }],
  [{ action: 'checkToken', token: 'good', v: 2 }, { data: { uid: '7' } }],
  [{ action: 'checkToken', token: 'stolen', v: 2 }, { error: 'unauthorized' }],
  [{ action: 'checkToken', token: 'broken', v: 2 }, { error: 'busy' }],
  [{ action: 'checkToken', token: ['a'] }, { error: 'parameter_error' }],
])('%j is answered with %j, and public data is sent in both cases', async (request, answer) => {
  const client = await stage.client()
  client.send(request)
  expect(await client.next((message) => message.action === 'checkToken')).toMatchObject(answer)
  client.send({ action: 'getQuota' })
  expect(rows(await client.next(isQuota))).toHaveLength(3)
})

test('two hundred clients with equal subscriptions share one serialization', async () => {
  const clients = await Promise.all(Array.from({ length: 200 }, () => stage.extended('trades')))
  stage.market.book('BTCUSDT', [['99', '1']], [['101', '1']])
  for (const client of clients) {
    client.send({ action: 'getQuota', symbols: ['ETHUSDT', 'BTCUSDT'] })
    client.send({ action: 'getDepth', symbol: 'BTCUSDT' })
    client.send({ action: 'kline', symbol: 'BTCUSDT', period: '1m' })
  }
  await Promise.all(clients.map((client) => client.next(isDepth)))
  stage.beat()
  stage.beat()
  const before = stage.feed.counts()
  for (const client of clients) client.clear()
  stage.market.tick('BTCUSDT', '105')
  stage.market.trade('BTCUSDT', '105')
  stage.market.candle('BTCUSDT', '1m', candle(0, '105'))
  stage.market.book('BTCUSDT', [['99', '2']], [['101', '1']])
  stage.beat()
  stage.beat()
  await Promise.all(clients.flatMap((client) => [client.next(isQuota), client.next(isDepth), client.next(isKline)]))
  const after = stage.feed.counts()
  expect(after.serialised - before.serialised).toBe(3)
  expect(after.sent - before.sent).toBe(600)
})

test('before a restart extended clients are told, all are closed with 1012, and new clients are refused', async () => {
  const [plain, extended] = [await stage.client(), await stage.extended()]
  const mute = await stage.client()
  mute.socket.pause() // Never answers the close.
  const stopped = stage.feed.stop()
  await expect(stage.client()).rejects.toThrow('refused with 503')
  expect(await extended.closed).toBe(1012)
  expect(await plain.closed).toBe(1012)
  await stopped
  expect(extended.messages.at(-1)).toMatchObject({ action: 'ping', restart: 3_000 })
  expect(plain.messages).toEqual([])
  expect(stage.feed.counts().clients).toBe(0)
})
