import type { Socket as TcpSocket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { feedLimits } from '#contract/feed.ts'
import type { TopicMessage } from '#contract/topic.ts'
import type { Feed } from '#renderer/feed/feed.ts'
import { type Line, openClient, openNode, until, workingClock } from '#tests/support/feed/feed-node.ts'
import { openStage, type Stage } from '#tests/support/feed/feed-stage.ts'
import { sized } from '#tests/support/house/sizes.ts'
import { percentile } from '#tests/support/percentile.ts'
import { layFarCable } from '#tests/support/servers/far-cable.ts'

/** Clients that lose their connections. */
const people = sized(500, 500)
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

function client(url: string, line: Line, token?: string): Feed {
  const feed = openClient(url, line, token)
  ends.push(() => feed.stop())
  return feed
}

test(`${people} disconnected clients reconnect by themselves, spread over time, request the whole list again, and hear of each order once`, {
  tags: 'full',
}, async () => {
  const node = await openNode(['BTCUSDT', 'ETHUSDT', 'XAUUSDT'])
  ends.push(() => node.end())
  const cable = await layFarCable(node.url)
  ends.push(() => cable.close())
  /** Messages of each client since its newest connection, and the time at which that connection got its list. */
  const said: Record<string, unknown>[][] = Array.from({ length: people }, () => [])
  const listedAt = new Array<number>(people).fill(0)
  let made = 0
  const clock = workingClock()
  ends.push(clock.stop)
  const clients = said.map((_, i) =>
    client(
      `${cable.origin.replace('http', 'ws')}/ws`,
      {
        made() {
          made++
          said[i] = []
        },
        says: (text) => void said[i]!.push(JSON.parse(text) as Record<string, unknown>),
        hears(text) {
          if (listedAt[i] === 0 && text.startsWith('{"action":"getQuota"')) listedAt[i] = clock.now()
          return true
        },
      },
      String(i + 1),
    ),
  )
  /** Numbers of the orders that each customer is notified of; 'all' where the list is to be loaded again. */
  const received: (number | 'all')[][] = clients.map(() => [])
  const numberOf = (one: TopicMessage) => ('row' in one ? Number(one.row?.id) : 'all')
  for (const [i, one] of clients.entries())
    one.onTopicMessage((what) => void (what.topic === 'orders' && received[i]!.push(numberOf(what))))
  let orders = 0
  function order() {
    orders++
    for (const i of clients.keys()) node.changes.tell(i + 1, 'orders', { change: 'update', row: { id: orders, rev: orders } })
  }
  for (const one of clients) one.wantQuotes('all')
  expect(await until(() => listedAt.every((at) => at > 0), 30_000)).toBe(true)
  expect(made).toBe(people)
  const isToldOf = (number: number | 'all') => () => received.every((heard) => heard.includes(number))
  // Until the list is loaded, a row says nothing new.
  expect(await until(isToldOf('all'), 10_000)).toBe(true)
  order()
  expect(await until(isToldOf(1), 10_000)).toBe(true)

  const ways: [string, () => Promise<unknown>, resumes: boolean][] = [
    [
      'the proxy closes all connections and is down for a second',
      async () => {
        await cable.cut()
        order()
        await sleep(1_000)
        order()
        await cable.mend()
      },
      true,
    ],
    ['the server closes all connections', async () => node.cutAll(), true],
    ['the server restarts', () => node.restart(), false],
  ]
  for (const [way, happens, resumes] of ways) {
    listedAt.fill(0)
    for (const heard of received) heard.splice(0)
    const [began, first] = [clock.now(), orders + 1]
    order()
    await happens()
    order()
    await until(() => listedAt.every((at) => at > 0), 10_000 - (clock.now() - began))
    const back = listedAt.filter((at) => at > 0).map((at) => at - began)
    const missing = clients.flatMap((one, i) => (listedAt[i] === 0 ? [`${one.health().state} ${JSON.stringify(said[i])}`] : []))
    expect(back.length, `${way}; not back: ${missing.slice(0, 5)}`).toBeGreaterThanOrEqual(people * 0.99)
    expect(percentile(back, 0.5), way).toBeGreaterThan(400)
    // The last clients may still be reconnecting, which must not disturb the next round.
    expect(await until(() => listedAt.every((at) => at > 0), 10_000), way).toBe(true)
    for (const [i, messages] of said.entries()) {
      expect(messages[0], String(i)).toMatchObject({ action: 'checkToken', v: 2 })
      expect(
        messages.filter(({ action }) => action === 'getQuota'),
        `${way}, client ${i}`,
      ).toEqual([{ action: 'getQuota', connect: true }])
    }
    if (!resumes) expect(await until(isToldOf('all'), 10_000), way).toBe(true)
    order()
    expect(await until(isToldOf(orders), 10_000), way).toBe(true)
    for (const [i, heard] of received.entries()) {
      const numbers = heard.filter((number) => number !== 'all')
      if (resumes) expect(heard, `${way}, client ${i}`).toEqual(Array.from({ length: orders - first + 1 }, (_, n) => first + n))
      else expect([heard.includes('all'), new Set(numbers).size], `${way}, client ${i}`).toEqual([true, numbers.length])
    }
    console.log(`${way}: half back after ${percentile(back, 0.5).toFixed(0)} ms, 99 % after ${percentile(back, 0.99).toFixed(0)} ms`)
  }
  node.market.tick('BTCUSDT', '77')
  expect(await until(() => clients.every((one) => one.quote('BTCUSDT')?.last === '77'), 5_000)).toBe(true)
})

const beatMs = 100
/** Clients of which 50 stop reading. */
const crowd = 500
/** Ticks for a while; `before` is called before each. */
async function beats(stage: Stage, ms: number, before: () => void): Promise<void> {
  const end = performance.now() + ms
  while (performance.now() < end) {
    const next = performance.now() + beatMs
    before()
    stage.beat()
    await sleep(Math.max(1, next - performance.now()))
  }
}

test('50 of 500 clients that stop reading cost little, are closed with a reason, and delay nobody', {
  tags: 'full',
}, async () => {
  const symbols = Array.from({ length: 400 }, (_, i) => `S${String(i).padStart(3, '0')}USDT`)
  const stage = await openStage(symbols)
  ends.push(() => stage.end())
  const serverSide = new Map<number, TcpSocket>()
  stage.server.on('connection', (socket: TcpSocket) => serverSide.set(socket.remotePort!, socket))
  const open = (request: object, read?: (text: string) => void) =>
    new Promise<WebSocket>((opened, failed) => {
      const socket = new WebSocket(stage.url, { perMessageDeflate: false })
      ends.push(() => socket.terminate())
      socket.on('error', failed)
      socket.once('open', () => socket.send(JSON.stringify(request)))
      socket.once('message', () => {
        if (read) socket.on('message', (data) => read(String(data)))
        opened(socket)
      })
    })
  let delays: number[] = []
  /** The newest price of each reader, which is the time at which it was sent. */
  const newest = new Map<number, number>()
  const readers: WebSocket[] = []
  for (let i = 0; i < crowd - 50; i++)
    readers.push(
      await open({ action: 'getQuota', symbols: ['S000USDT'] }, (text) => {
        const sentAt = /"last":"([\d.]+)"/.exec(text)?.[1]
        if (!sentAt) return
        delays.push(performance.now() - Number(sentAt))
        newest.set(i, Number(sentAt))
      }),
    )
  const slow = await Promise.all(Array.from({ length: 50 }, () => open({ action: 'getQuota' })))
  const ports = slow.map((socket) => (socket as unknown as { _socket: TcpSocket })._socket.localPort!)
  let buffered = 0
  const work = () => {
    for (const port of ports) buffered = Math.max(buffered, serverSide.get(port)?.writableLength ?? 0)
    for (const symbol of symbols) stage.market.tick(symbol, performance.now().toFixed(3))
  }

  await beats(stage, 1_000, work)
  delays = []
  await beats(stage, 4_000, work)
  const control = { p99: percentile(delays, 0.99), count: delays.length }
  for (const socket of slow) socket.pause()
  delays = []
  buffered = 0
  const rss = process.memoryUsage.rss()
  await beats(stage, 10_000, work)
  const stormed = { p99: percentile(delays, 0.99), count: delays.length }
  const grown = (process.memoryUsage.rss() - rss) / 1e6
  console.log(
    `99 % of ${control.count} within ${control.p99.toFixed(1)} ms when all read, of ${stormed.count} within ${stormed.p99.toFixed(1)} ms beside 50 that do not; ` +
      `at most ${buffered} bytes buffered, ${grown.toFixed(0)} MB more memory`,
  )
  expect(stage.feed.counts()).toMatchObject({ clients: crowd, closedSlow: 0 })
  expect(stage.feed.counts().coalesced).toBeGreaterThan(50)
  expect(buffered).toBeLessThan(1_000_000)
  expect(grown).toBeLessThan(100)
  // Latency depends on the load of the machine; that readers miss nothing does not.
  const last = Number(stage.market.quote('S000USDT')?.last)
  expect(await until(() => readers.every((_, i) => newest.get(i) === last), 30_000)).toBe(true)

  stage.later(feedLimits.unreadMsMax + 1_000)
  await beats(stage, 300, work)
  expect(stage.feed.counts().closedSlow).toBe(50)
  expect(await until(() => stage.feed.counts().clients === crowd - 50, 5_000)).toBe(true)
  delays = []
  await beats(stage, 500, work)
  expect(await until(() => delays.length >= readers.length, 3_000)).toBe(true)
  expect(readers.every((socket) => socket.readyState === WebSocket.OPEN)).toBe(true)
})
