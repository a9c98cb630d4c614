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

test('after thirty seconds without reading it is closed with 1013', async () => {
  const client = await stage.extended()
  client.send({ action: 'getQuota' })
  await client.next(isQuota)
  client.socket.pause()
  await storm(300)
  expect(stage.feed.counts().coalesced).toBeGreaterThan(0)
  stage.later(feedLimits.bufferHardMs - 5_000)
  stage.beat()
  expect(stage.feed.counts().closedSlow).toBe(0)
  stage.later(6_000)
  stage.beat()
  expect(stage.feed.counts().closedSlow).toBe(1)
  await eventually(() => stage.feed.counts().clients).toBe(0)
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
