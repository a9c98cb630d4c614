import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Quote } from '#contract/calls/market.calls.ts'
import { feedLimits } from '#contract/feed.ts'
import { eventually } from '#tests/support/eventually.ts'
import { openStage, type Stage } from '#tests/support/feed/feed-stage.ts'

const symbols = Array.from({ length: 400 }, (_, i) => `S${String(i).padStart(3, '0')}USDT`)

let stage: Stage
beforeEach(async () => {
  stage = await openStage(symbols)
})
afterEach(() => stage.end())

const isQuota = (message: { action: string }) => message.action === 'getQuota'

/** Changes every price so often that a client which does not read falls behind. */
async function storm(beats: number): Promise<void> {
  for (let i = 0; i < beats; i++) {
    for (const symbol of symbols) stage.market.tick(symbol, String(100 + i))
    stage.beat()
    await nextTurn()
    await nextTurn()
  }
}

test('a client that stops reading delays nobody and gets only the latest state when it reads again', async () => {
  const sockets: Socket[] = []
  stage.server.on('connection', (socket) => sockets.push(socket))
  const [slow, quick] = [await stage.extended(), await stage.extended()]
  for (const client of [slow, quick]) {
    client.send({ action: 'getQuota' })
    await client.next(isQuota)
    client.clear()
  }
  slow.socket.pause()
  await storm(400)
  const counts = stage.feed.counts()
  expect(counts.coalesced).toBeGreaterThan(0)
  expect(counts.clients).toBe(2)
  await eventually(() => quick.messages.filter(isQuota).length).toBe(400)
  // No more than a client that keeps up may leave, and the message that was too much for it.
  const messageBytes = Buffer.byteLength(JSON.stringify(quick.messages.find(isQuota)))
  expect(sockets[0]!.writableLength).toBeLessThanOrEqual(feedLimits.bufferSoftBytes + 2 * messageBytes)

  slow.socket.resume()
  const lastOf = () => {
    const latest = new Map<string, string>()
    for (const message of slow.messages) for (const row of (message as { data?: Quote[] }).data ?? []) latest.set(row.symbol, row.last)
    return latest
  }
  await expect
    .poll(() => {
      stage.beat()
      return new Set(lastOf().values())
    })
    .toEqual(new Set(['499']))
  expect(lastOf().size).toBe(symbols.length)
  expect(slow.messages.filter(isQuota).length).toBeLessThan(400)
})

test('a client that reads nothing is closed with 1013 by the age of what is unread, and little waits for it meanwhile', async () => {
  const sockets: Socket[] = []
  stage.server.on('connection', (socket) => sockets.push(socket))
  const client = await stage.extended()
  client.send({ action: 'getQuota' })
  await client.next(isQuota)
  client.socket.pause()
  const before = sockets[0]!.bytesWritten
  await storm(2)
  stage.later(feedLimits.unreadAskMs)
  stage.beat()
  stage.later(feedLimits.unreadMsMax - 1_000)
  await storm(300)
  expect(stage.feed.counts()).toMatchObject({ clients: 1, closedSlow: 0 })
  expect(stage.feed.counts().coalesced).toBeGreaterThan(0)
  // Bytes that Node has handed to the system count as well as those that wait here.
  const waiting = sockets[0]!.bytesWritten - before
  expect(waiting).toBeGreaterThan(feedLimits.unreadSoftBytes / 2)
  expect(waiting).toBeLessThan(feedLimits.unreadHardBytes)
  stage.later(1_100)
  stage.beat()
  expect(stage.feed.counts().closedSlow).toBe(1)
  await eventually(() => stage.feed.counts().clients).toBe(0)
})

test('a client that reads, and is sent as much, is asked now and then and stays', async () => {
  const client = await stage.extended()
  client.send({ action: 'getQuota' })
  await client.next(isQuota)
  let pings = 0
  client.socket.on('ping', () => pings++)
  for (let round = 0; round < 4; round++) {
    const asked = pings
    stage.later(feedLimits.unreadAskMs)
    await storm(3)
    await eventually(() => pings).toBe(asked + 1)
    stage.later(feedLimits.unreadMsMax - feedLimits.unreadAskMs)
  }
  expect(stage.feed.counts()).toMatchObject({ clients: 1, closedSlow: 0, closedLimit: 0 })
})

test('a missed order book is sent as a snapshot', async () => {
  const client = await stage.extended()
  client.send({ action: 'getQuota' })
  client.send({ action: 'getDepth', symbol: symbols[0]! })
  await client.next((message) => message.action === 'getDepth')
  client.socket.pause()
  await storm(300)
  stage.market.book(symbols[0]!, [['99', '1']], [['101', '1']])
  stage.beat()
  stage.market.book(symbols[0]!, [['98', '1']], [['101', '1']])
  stage.beat()
  client.clear()
  client.socket.resume()
  await expect
    .poll(() => {
      stage.beat()
      return client.messages.filter((message) => message.action === 'getDepth')
    })
    .toMatchObject([{ type: 'snap', bids: [['98', '1']] }])
})
