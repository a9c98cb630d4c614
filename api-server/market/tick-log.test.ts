import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { createTickLog, type TickLog, type TickLogOptions } from '#api-server/market/tick-log.ts'
import { type ChainedTick, type ChainTip, followChain, genesisHash, type Sha256 } from '#contract/tick-chain.ts'
import { createLog } from '#server-kit/ops/log.ts'
import { eventually } from '#tests/support/eventually.ts'

/** A table in memory whose next append can fail before or after storing. */
function createTable() {
  const rows: ChainedTick[] = []
  const fails: ('before' | 'after')[] = []
  let largest = 0
  const tip = (): ChainTip => {
    const last = rows.at(-1)
    return last ? { id: last.id, hash: last.hash } : { id: 0, hash: genesisHash }
  }
  return {
    rows,
    fails,
    largest: () => largest,
    store: {
      tip: async () => tip(),
      async append(ticks: readonly ChainedTick[]) {
        await sleep(1)
        const fail = fails.shift()
        if (fail === 'before') throw new Error('lost before the commit')
        if (ticks[0]!.id !== tip().id + 1) throw new Error('that number is taken')
        rows.push(...ticks)
        largest = Math.max(largest, ticks.length)
        if (fail === 'after') throw new Error('lost after the commit')
      },
    },
  }
}

const logs: TickLog[] = []
afterEach(async () => {
  await Promise.all(logs.splice(0).map((one) => one.close()))
})

async function open(table: ReturnType<typeof createTable>, over: Partial<TickLogOptions> = {}) {
  const stored: number[] = []
  let fenced = 0
  const tickLog = createTickLog({
    store: table.store,
    source: 'manual',
    log: createLog('silent'),
    onStored: (rows) => stored.push(...rows.map((row) => row.id)),
    onFenced: () => fenced++,
    flushEveryMs: 5,
    ...over,
  })
  logs.push(tickLog)
  await tickLog.open()
  const add = (count: number, price = 100) => {
    for (let i = 0; i < count; i++) tickLog.add({ symbol: 'BTCUSDT', price: String(price + i), size: '1', time: i }, () => [])
  }
  return { tickLog, add, stored, fenced: () => fenced }
}
const sha256: Sha256 = (text) => createHash('sha256').update(text).digest('hex')
const whole = (rows: readonly ChainedTick[]) => followChain(sha256, { id: 0, hash: genesisHash }, rows)

test('ticks are numbered at once, stored in order and chained', async () => {
  const table = createTable()
  const { tickLog, add, stored } = await open(table)
  add(3)
  expect(table.rows).toEqual([])
  add(2)
  await tickLog.flushed()
  expect(table.rows.map((row) => row.id)).toEqual([1, 2, 3, 4, 5])
  expect(stored).toEqual([1, 2, 3, 4, 5])
  expect(whole(table.rows)).toHaveProperty('tip.id', 5)
})

test('a new log continues where the old one ended', async () => {
  const table = createTable()
  const first = await open(table)
  first.add(2)
  await first.tickLog.close()
  const second = await open(table)
  second.add(2)
  await second.tickLog.flushed()
  expect(whole(table.rows)).toHaveProperty('tip.id', 4)
})

test('a flush takes a thousand ticks at most, and the rest follows at once', async () => {
  const table = createTable()
  const { tickLog, add } = await open(table)
  add(2_500)
  await tickLog.flushed()
  expect(table.rows).toHaveLength(2_500)
  expect(table.largest()).toBe(1_000)
})

test.each([
  ['before the commit', ['before', 'before', 'before'] as const],
  ['after the commit, when only the answer was lost', ['after'] as const],
  ['both ways', ['after', 'before', 'after'] as const],
])('a database that fails %s loses no tick and doubles none', async (_name, fails) => {
  const table = createTable()
  table.fails.push(...fails)
  const { tickLog, add, stored, fenced } = await open(table)
  add(4)
  await sleep(20)
  add(3)
  await tickLog.flushed()
  expect(whole(table.rows)).toHaveProperty('tip.id', 7)
  expect(stored).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(tickLog.counts().failures).toBe(fails.length)
  expect(fenced()).toBe(0)
})

test('while the database is unavailable the queue is bounded, and further ticks are refused', async () => {
  const table = createTable()
  table.fails.push(...Array(1_000).fill('before'))
  const { tickLog, add } = await open(table, { queueMax: 10 })
  let taken = 0
  for (let i = 0; i < 50; i++) {
    if (!tickLog.accepting()) continue
    add(1)
    taken++
  }
  expect(taken).toBe(10)
  expect(tickLog.counts()).toMatchObject({ queued: 10, refused: 40 })
  await expect(tickLog.durable(10, 30)).rejects.toThrow('not stored in time')
  table.fails.length = 0
  await tickLog.flushed()
  expect(tickLog.accepting()).toBe(true)
  expect(whole(table.rows)).toHaveProperty('tip.id', 10)
})

test('when another node has written, this log stops and writes nothing more', async () => {
  const table = createTable()
  const [old, young] = [await open(table), await open(table)]
  young.add(2)
  await young.tickLog.flushed()
  old.add(3, 500)
  await eventually(old.fenced).toBe(1)
  expect(old.tickLog.accepting()).toBe(false)
  expect(old.stored).toEqual([])
  expect(young.fenced()).toBe(0)
  expect(whole(table.rows)).toHaveProperty('tip.id', 2)
})

test('a log takes no ticks before it is open and after it is closed', async () => {
  const table = createTable()
  const { tickLog } = await open(table)
  await tickLog.close()
  expect(tickLog.accepting()).toBe(false)
  await expect(tickLog.durable(99)).rejects.toThrow('not open')
})
