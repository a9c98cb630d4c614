import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type DepthLevel, feedLimits } from '#contract/feed.ts'
import type { Feed } from '#renderer/feed/feed.ts'
import { createFakeTime } from '#renderer/feed/feed-fixture.ts'
import { eventually } from '#tests/support/eventually.ts'
import { type Line, openClient } from '#tests/support/feed/feed-node.ts'
import type { StageMarket } from '#tests/support/feed/feed-stage.ts'
import { createOrders, watchOrders } from '#tests/support/feed/orders.ts'
import { openTwoNodes } from '#tests/support/feed/two-nodes.ts'
import { chance, sized, withSeed } from '#tests/support/house/sizes.ts'
import { percentile } from '#tests/support/percentile.ts'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const symbols = ['BTCUSDT', 'ETHUSDT', 'XAUUSDT']
const customers = [7, 8]
const stepMs = 100
/** So long frames are lost, on the clock of the test. */
const lossyMs = sized(10_000, 60_000)
/** So long everything may take to be right again. */
const rightAgainMsMax = 2_000
/** How late a node receives the messages of another one. */
const lateMsMax = 600

const top = ({ bids, asks }: { bids: readonly DepthLevel[]; asks: readonly DepthLevel[] }) =>
  JSON.stringify([bids.slice(0, feedLimits.depthLevels), asks.slice(0, feedLimits.depthLevels)])

test('with one frame in a hundred lost and two nodes that hear of each other late, nothing is shown that never was, and all is right 2 s later', async () => {
  const draw = chance()
  await withSeed(draw, async () => {
    const time = createFakeTime()
    const two = await openTwoNodes(symbols, time, () => draw.below(lateMsMax))
    ends.push(() => two.end())
    const orders = createOrders(draw)
    let lossy = false
    let lost = 0
    let changedNodes = 0

    /** A client of the app: it changes nodes, and of its connections one frame in a hundred may be lost. */
    function open(uid: number, node: number, hasLosses: boolean) {
      const sockets = new Set<WebSocket>()
      type Connection = WebSocket | undefined
      const own = { node, asked: 0, quotedBy: undefined as Connection, holding: undefined as Connection }
      let newest: Connection
      const held: (() => void)[] = []
      const line: Line = {
        leadsTo: () => two.nodes[own.node]!.stage.url,
        made(socket) {
          sockets.add(socket)
          newest = socket
          socket.once('close', () => sockets.delete(socket))
        },
        says: (text) => void (text.includes('"getDepth"') && own.asked++),
        hears(text, deliver, socket) {
          if (socket === own.holding) {
            held.push(deliver)
            return false
          }
          const isLost = hasLosses && lossy && !/"action":"(?:checkToken|ping)"/.test(text) && draw.next() < 0.01
          if (isLost) lost++
          else if (socket === newest && text.startsWith('{"action":"getQuota"')) own.quotedBy = socket
          return !isLost
        },
      }
      const feed = openClient('ws://two.nodes', line, String(uid), time)
      ends.push(() => feed.stop())
      feed.wantQuotes('all')
      for (const symbol of symbols) feed.wantDepth(symbol)
      feed.wantCandles('BTCUSDT', '1m')
      const answers = watchOrders(feed, orders, uid, time)
      ends.push(() => answers.stop())
      return {
        uid,
        feed,
        answers,
        own,
        market: () => two.nodes[own.node]!.stage.market,
        /** The proxy keeps what the old connection says until the new one is there. */
        change() {
          changedNodes++
          own.holding = newest
          time.timers.setTimeout(() => {
            own.node = 1 - own.node
            feed.reconnect()
          }, stepMs)
          time.timers.setTimeout(
            () => {
              for (const deliver of held.splice(0)) deliver()
            },
            2 * stepMs + draw.below(1_500),
          )
        },
        /** All that was sent before on its connections has arrived. */
        arrived: () =>
          Promise.all(
            [...sockets].map(
              (socket) =>
                new Promise<void>((done) => {
                  const end = () => {
                    for (const name of ['open', 'pong', 'close']) socket.off(name, end)
                    done()
                  }
                  for (const name of ['open', 'pong', 'close']) socket.once(name, end)
                  if (socket.readyState === WebSocket.OPEN) socket.ping()
                }),
            ),
          ),
      }
    }
    const witnesses = two.nodes.map((_, node) => open(7, node, false))
    const clients = Array.from({ length: 20 }, (_, i) => open(customers[i % 2]!, (i >> 1) % 2, true))
    const all = [...witnesses, ...clients]

    const side = (best: number, step: 1 | -1): DepthLevel[] =>
      Array.from({ length: 25 }, (_, i) => [String(best + step * i), String(1 + draw.below(3))] as const).filter(() => draw.next() > 0.2)
    let minute = 0
    /** May change everything that the server announces. */
    function move(): void {
      for (const symbol of symbols) {
        const [bids, asks, price] = [side(1_000 - draw.below(5), -1), side(1_001 + draw.below(5), 1), String(1_000 + draw.below(9))]
        two.market((market) => {
          market.book(symbol, bids, asks)
          market.trade(symbol, price)
          market.tick(symbol, price)
        })
      }
      const candle = {
        time: 60_000 * (minute += draw.below(2)),
        open: '1',
        high: '2',
        low: '1',
        close: String(draw.below(99)),
        volume: '1',
      }
      two.market((market) => market.candle('BTCUSDT', '1m', candle))
      for (const uid of customers) orders.move(draw.of(two.nodes).changes, uid)
    }

    /** Books that were right at a node, by epoch and number. */
    const right = new Map<string, string>()
    const shown: [key: string, book: string][] = []
    const staleSince = new Map<string, number>()
    const healed: number[] = []
    /** The newest prices that each connection has shown. */
    const quoted = new WeakMap<WebSocket, Map<string, number>>()
    const older: string[] = []
    function look(): void {
      for (const symbol of symbols) {
        for (const { feed } of witnesses) {
          const book = feed.depth(symbol)
          if (book && !book.stale) right.set(`${book.epoch} ${symbol} ${book.seq}`, top(book))
        }
        for (const [i, { feed, own }] of clients.entries()) {
          const [book, quote] = [feed.depth(symbol), feed.quote(symbol)]
          const key = `${i} ${symbol}`
          if (!book || book.stale) staleSince.set(key, staleSince.get(key) ?? time.now())
          else {
            shown.push([`${book.epoch} ${symbol} ${book.seq}`, top(book)])
            const since = staleSince.get(key)
            if (since !== undefined) healed.push(time.now() - since)
            staleSince.delete(key)
          }
          if (!quote || !own.quotedBy) continue
          // Another node may have older prices.
          const before = quoted.get(own.quotedBy) ?? new Map<string, number>()
          quoted.set(own.quotedBy, before)
          if (quote.seq < (before.get(symbol) ?? 0)) older.push(`${key}: ${quote.seq} after ${before.get(symbol)}`)
          before.set(symbol, quote.seq)
        }
      }
    }
    let heartbeatAt = time.now()
    async function step(): Promise<void> {
      await time.pass(stepMs)
      for (const { stage } of two.nodes) {
        // Twice as fast, so that the answers to this test's own pings are within the limit.
        stage.later(2 * stepMs)
        stage.beat()
        if (time.now() - heartbeatAt > feedLimits.heartbeatMs) stage.heartbeat()
      }
      if (time.now() - heartbeatAt > feedLimits.heartbeatMs) heartbeatAt = time.now()
      await Promise.all(all.map((one) => one.arrived()))
      look()
    }
    const state = (feed: Feed, market?: StageMarket) =>
      symbols.map((symbol) => {
        const book = market?.depth(symbol, feedLimits.depthLevels) ?? feed.depth(symbol)
        const quote = (market ?? feed).quote(symbol)
        return [symbol, quote?.last, quote?.seq, book && top(book as never)].join(' ')
      })
    const seen = ({ feed, answers }: (typeof all)[number]) => ({
      market: [...state(feed), feed.candle('BTCUSDT', '1m')?.candle.close],
      own: answers.shown(),
      stale: symbols.filter((symbol) => feed.depth(symbol)?.stale !== false),
    })
    const expected = ({ uid, market, feed }: (typeof all)[number]) => ({
      market: [...state(feed, market()), market().openCandle('BTCUSDT', '1m')?.close],
      own: orders.whole(uid),
      stale: [],
    })

    for (let ms = 0; ms < 5_000; ms += stepMs) {
      move()
      await step()
    }
    expect(all.map(({ feed }) => feed.health().state)).toEqual(all.map(() => 'connected'))
    const askedAtFirst = clients.reduce((sum, { own }) => sum + own.asked, 0)
    lossy = true
    for (let ms = 0; ms < lossyMs; ms += stepMs) {
      move()
      if (ms % 500 === 0) draw.of(clients).change()
      await step()
    }
    lossy = false
    // A gap is seen by what comes after it.
    for (let ms = 0; ms < rightAgainMsMax; ms += stepMs) {
      if (ms < rightAgainMsMax - 2 * lateMsMax) move()
      await step()
    }
    await eventually(() => all.map(seen)).toEqual(all.map(expected))
    const asked = clients.reduce((sum, { own }) => sum + own.asked, 0) - askedAtFirst
    console.log(
      `${lost} frames lost, ${changedNodes} changes of nodes, ${asked} snapshots asked for, half healed within ${percentile(healed, 0.5)} ms, all within ${Math.max(...healed)} ms`,
    )
    expect(lost).toBeGreaterThan(lossyMs / 200)
    expect(asked).toBeGreaterThan(lossyMs / 1_000)
    expect([...staleSince.keys()]).toEqual([])
    expect(percentile(healed, 0.95)).toBeLessThan(2_500)
    const known = shown.filter(([key]) => right.has(key))
    expect(known.filter(([key, book]) => right.get(key) !== book)).toEqual([])
    expect(known.length).toBeGreaterThan(shown.length / 2)
    expect(older).toEqual([])
    // No closed position comes back, and each that was shown is said to be closed once.
    expect(all.map(({ answers }) => answers.back)).toEqual(all.map(() => []))
    for (const { answers } of all) {
      expect(answers.toasts.length).toBeGreaterThan(lossyMs / 4_000)
      expect(new Set(answers.toasts).size).toBe(answers.toasts.length)
    }
  })
})
