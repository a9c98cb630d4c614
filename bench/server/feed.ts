import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { frameOf } from '#api-server/feed/connection.ts'
import { attachFeed } from '#api-server/feed/feed.ts'
import type { FeedMarket } from '#api-server/feed/feed-market.ts'
import { feedLimits } from '#contract/feed.ts'
import type { ChangedRow } from '#contract/topic.ts'
import type { TopicName } from '#contract/topics.ts'
import { createLog } from '#server-kit/ops/log.ts'

/**
 * The feed of the product on a port of its own, with a market and changes that the benchmark sets, so that nothing else costs processor time.
 * A token is the number of a customer. `/run` does work and answers what it cost. Run it with --expose-gc.
 */
export interface Ran {
  sent: number
  cpuMs: number
  clients: number
  /** Highest of what the process held after a collection, and what it held before. */
  peakBytes: number
  beforeBytes: number
  closedSlow: number
}
const symbols = Array.from({ length: 30 }, (_, i) => `S${i}USDT`)
let step = 0
let ticked: (symbol: string) => void = () => {}
const quoteOf = (symbol: string) => ({
  symbol,
  last: String(100 + (step % 100)),
  open24h: '100',
  high24h: '200',
  low24h: '50',
  volume24h: '7',
  change: '0.010000',
  ts: Date.now(),
  seq: step,
})
const market: FeedMarket = {
  symbols: () => symbols,
  quote: quoteOf,
  trades: () => [],
  depth: () => ({ bids: [], asks: [] }),
  openCandle: () => undefined,
  listen(listener) {
    ticked = (symbol) => listener.ticked({ symbol })
    return () => undefined
  },
}
let tell: (uid: number, topic: TopicName, changed: ChangedRow) => void = () => {}
const intervals: (() => void)[] = []

const server = createServer((req, res) => {
  const asked = new URL(req.url ?? '/', 'http://feed').searchParams
  const number = (name: string) => Number(asked.get(name) ?? 0)
  const work = asked.has('bare')
    ? bare(number('beats'))
    : run(number('beats'), number('pushes'), number('from'), number('customers'), number('every'))
  work.then(
    (ran) => res.end(JSON.stringify(ran)),
    (error) => res.writeHead(500).end(String(error)),
  )
})
const feed = attachFeed(server, {
  market,
  sessions: {
    check: async (token) => ({ uid: token, session: token }),
    alive: async (ids) => new Set(ids),
    listen: () => () => undefined,
  },
  changes: {
    listen(listener) {
      tell = listener
      return () => undefined
    },
  },
  clock: { now: () => Date.now() },
  log: createLog('silent'),
  origins: [],
  trusts: () => true,
  limits: { perAddress: 5_000 },
  every(ms, work) {
    if (ms === feedLimits.quoteEveryMs || ms === feedLimits.gatherMs) intervals.push(work)
    return () => undefined
  },
})

const wires = new Set<Duplex>()
server.prependListener('upgrade', (_request, wire: Duplex) => {
  wires.add(wire)
  wire.on('close', () => wires.delete(wire))
})
/** Measures the cost of a write alone: the same bytes to every wire, without the feed. */
async function bare(beats: number): Promise<Ran> {
  const frame = frameOf(JSON.stringify({ action: 'positions', seq: 1_000, change: 'update', row: rowOf(1) }))
  const cpu = process.cpuUsage()
  for (let n = 0; n < beats; n++) {
    for (const wire of wires) wire.write(frame)
    for (let turn = 0; turn < 3; turn++) await nextTurn()
  }
  const { user, system } = process.cpuUsage(cpu)
  const rest = { clients: wires.size, peakBytes: 0, beforeBytes: 0, closedSlow: 0 }
  return { sent: beats * wires.size, cpuMs: (user + system) / 1_000, ...rest }
}

function held(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** A change of an order as a customer gets it. */
const rowOf = (id: number) => ({ id, rev: step, match_id: 'BTCUSDT', side: 'long', lots: '1', price: '50000.12', profit: '1.25' })

/**
 * @param pushes messages to each of the customers in each beat; 0 for prices
 * @param every beats between two looks at the memory; 0 for none
 */
async function run(beats: number, pushes: number, from: number, customers: number, every: number): Promise<Ran> {
  const beforeBytes = every ? held() : 0
  let peakBytes = beforeBytes
  const [first, cpu] = [feed.counts(), process.cpuUsage()]
  for (let n = 1; n <= beats; n++) {
    step++
    if (pushes === 0) for (const symbol of symbols) ticked(symbol)
    for (let uid = from; uid < from + customers; uid++)
      for (let push = 0; push < pushes; push++) tell(uid, 'positions', { change: 'update', row: rowOf(uid) } as ChangedRow)
    for (const beat of intervals) beat()
    if (every && n % every === 0) peakBytes = Math.max(peakBytes, held())
    // The answers to the clients are written, and the clients' messages are read.
    for (let turn = 0; turn < 3; turn++) await nextTurn()
  }
  const { user, system } = process.cpuUsage(cpu)
  const last = feed.counts()
  return {
    sent: last.sent - first.sent,
    cpuMs: (user + system) / 1_000,
    clients: last.clients,
    peakBytes,
    beforeBytes,
    closedSlow: last.closedSlow - first.closedSlow,
  }
}

server.listen(0, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`))
