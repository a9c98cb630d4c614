import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Halt } from '#api-server/trading/trading.store.ts'
import { loadEveryMs, openTrading, type TradingOptions } from '#api-server/trading/trading.ts'
import { createLocalBus } from '#server-kit/ops/bus.ts'
import { createLog } from '#server-kit/ops/log.ts'

const log = createLog('silent')
const halted: Halt = { symbol: 'BTCUSDT', reason: 'news', halted_by: 'ann', at: 1, ended_at: null }

/** A node whose halts are read by `halts`. */
async function nodeOf(halts: () => Promise<Halt[]>) {
  const bus = createLocalBus(log)
  const published: string[] = []
  const trading = await openTrading({
    store: { current: async () => [], calendars: async () => [], halts } as unknown as TradingOptions['store'],
    reads: { instrument: () => ({ group: 'currency' }) } as unknown as TradingOptions['reads'],
    clock: { now: () => 1_000 },
    bus: { ...bus, publish: (topic) => void published.push(topic) },
    log,
  })
  /** The module runs its job. */
  const pass = async () => {
    await vi.advanceTimersByTimeAsync(loadEveryMs)
    for (const { work } of trading.jobs) await work()
  }
  return { trading, published, pass, isHalted: () => trading.hours('BTCUSDT').halt !== undefined }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a halt of which no message came counts all the same', async () => {
  let halts: Halt[] = []
  const { trading, pass, isHalted } = await nodeOf(async () => halts)
  halts = [halted]
  expect(isHalted()).toBe(false)
  await pass()
  expect(isHalted()).toBe(true)
  await trading.stop()
})

test('other nodes hear of a change that this one could not read, and it reads it again', async () => {
  let halts = async (): Promise<Halt[]> => []
  const { trading, published, pass, isHalted } = await nodeOf(() => halts())
  halts = () => Promise.reject(new Error('the database is away'))
  await trading.changed()
  expect([published, isHalted()]).toEqual([['trading.changed'], false])
  halts = async () => [halted]
  await pass()
  expect(isHalted()).toBe(true)
  await trading.stop()
})

test('other halts are told once, with what counts by then, and when they were read', async () => {
  let halts: Halt[] = [halted]
  const { trading, pass } = await nodeOf(async () => halts.map((halt) => ({ ...halt })))
  const announced: boolean[] = []
  const off = trading.listen(() => void announced.push(trading.wasOpen('BTCUSDT', 500)))
  await pass()
  expect(announced).toEqual([])
  halts = [{ ...halted, ended_at: 400 }]
  const before = trading.readAt()
  await trading.changed()
  await pass()
  expect(announced).toEqual([true])
  expect(trading.readAt()).toBeGreaterThan(before)
  off()
  halts = [halted]
  await trading.changed()
  expect(announced).toEqual([true])
  await trading.stop()
})

test('a slow read never overwrites a later one', async () => {
  let answer: (rows: Halt[]) => void = () => {}
  const slow = new Promise<Halt[]>((done) => {
    answer = done
  })
  const answers = [async () => [], () => slow]
  const { trading, isHalted } = await nodeOf(() => answers.shift()?.() ?? Promise.resolve([halted]))
  const first = trading.changed()
  await vi.advanceTimersByTimeAsync(0)
  const second = trading.changed()
  await vi.advanceTimersByTimeAsync(0)
  answer([])
  await Promise.all([first, second])
  expect(isHalted()).toBe(true)
  await trading.stop()
})
