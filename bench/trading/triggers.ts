import { closeSync, openSync, readSync } from 'node:fs'
import { PerformanceObserver } from 'node:perf_hooks'
import { unitsOf, type Watched } from '#api-server/lever/triggers/trigger.rules.ts'
import { createTriggers } from '#api-server/lever/triggers/triggers.ts'
import { atMost, type Bar, median, option, report, reported, spread } from '#bench/bars.ts'

/**
 * How long a tick takes to decide what it fires among all positions and waiting orders of one symbol: ten each time, with a thousand and
 * with a hundred thousand of each. Fired rows are put back, at new levels, between the ticks that are measured. The sizes take turns. `--
 * [--rounds=7 --ticks=400]`
 */
const sizes = [1_000, 10_000, 100_000]
const [rounds, ticks] = [option('rounds', 7), option('ticks', 400)]
const firedEach = 10
const scale = 2

function watched(id: number, at: (spread: number) => number): Watched {
  const side = id % 2 ? 'long' : 'short'
  const sign = side === 'long' ? 1 : -1
  const row = { id, rev: 1, symbol: 'BTCUSDT', side, since: 0, tpSince: 0, slSince: 0, exitSince: null } as const
  if (id % 4 < 2) return { ...row, state: 'entrust', limit: 5_000_000 - sign * at(900_000), tp: null, sl: null, liquidation: null }
  const [tp, sl, liquidation] = [at(900_000), at(400_000), at(900_000)]
  return {
    ...row,
    state: 'open',
    limit: null,
    tp: 5_000_000 + sign * tp,
    sl: 5_000_000 - sign * sl,
    liquidation: 5_000_000 - sign * liquidation,
  }
}

/** Milliseconds that this thread was ready to run and another one had the core; 0 where the system does not report it. */
function createWaiting(): { ms(): number; close(): void } {
  const bytes = Buffer.alloc(128)
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
    return {
      ms: () => Number(bytes.toString('latin1', 0, readSync(file, bytes, 0, bytes.length, 0)).split(' ')[1]) / 1e6,
      close: () => closeSync(file),
    }
  } catch {
    return { ms: () => 0, close: () => {} }
  }
}

/** A tick: when it began, how long it took, and how much of that it waited for a core. */
interface Took {
  at: number
  ms: number
  waitedMs: number
}

function createStage(each: number, waitedMs: () => number) {
  let seed = 7
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed / 2_147_483_648
  }
  const far = (spread: number) => 100_000 + Math.floor(random() * spread)
  const triggers = createTriggers()
  for (let id = 1; id <= 2 * each; id++) triggers.put(watched(id, far))
  let last = 0
  function tick(): Took {
    last++
    // Ten rows come to stand where the next tick goes.
    const mark = 5_000_000 + (last % 2 ? 1 : -1) * (50_000 + (last % 100))
    const ids = new Set<number>()
    while (ids.size < firedEach) ids.add(1 + Math.floor(random() * 2 * each))
    const near = {
      state: 'entrust',
      limit: mark,
      side: mark > 5_000_000 ? 'short' : 'long',
      tp: null,
      sl: null,
      liquidation: null,
    } as const
    for (const id of ids) triggers.put({ ...watched(id, far), ...near })
    const price = (mark / 100).toFixed(2)
    const waited = waitedMs()
    const at = performance.now()
    const found = triggers.take('BTCUSDT', unitsOf(price, scale), last)
    const ms = performance.now() - at
    const waitedHere = waitedMs() - waited
    if (found.length !== firedEach) throw new Error(`${found.length} fired instead of ${firedEach}`)
    for (const { row } of found) triggers.put(watched(row.id, far))
    return { at, ms, waitedMs: Math.min(ms, waitedHere) }
  }
  return { each, tick, times: [] as Took[], medians: [] as number[] }
}

const pauses: { from: number; to: number }[] = []
const collected = new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) pauses.push({ from: startTime, to: startTime + duration })
})
collected.observe({ entryTypes: ['gc'] })
const waiting = createWaiting()
const stages = sizes.map((each) => createStage(each, waiting.ms))
for (let round = 0; round <= rounds; round++) {
  for (const stage of round % 2 ? stages : [...stages].reverse()) {
    const took = Array.from({ length: ticks }, stage.tick)
    // The first round warms up.
    if (round === 0) continue
    stage.times.push(...took)
    stage.medians.push(median(took.map(({ ms }) => ms)))
    await new Promise(setImmediate)
  }
}
waiting.close()
collected.disconnect()

const us = (ms: number) => `${(ms * 1_000).toFixed(1)} µs`
const bars: Bar[] = []
for (const { each, times } of stages) {
  const sorted = [...times].sort((a, b) => a.ms - b.ms)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!.ms
  const worst = sorted.at(-1)!
  const own = Math.max(...times.map(({ ms, waitedMs }) => ms - waitedMs))
  const meets = (one: Took) => pauses.some(({ from, to }) => from < one.at + one.ms && to > one.at)
  const free = times.filter((one) => !meets(one))
  const name = `${each} positions and as many orders, ${firedEach} fired`
  const met = `${times.length - free.length} of ${times.length} met a garbage collection`
  bars.push(
    atMost(`${name}: p99`, at(0.99), 5, ' ms', `median ${us(at(0.5))}`),
    atMost(`${name}: worst, without waiting for a core`, own, 5, ' ms', met),
    reported(`${name}: worst that met no collection`, us(Math.max(...free.map(({ ms, waitedMs }) => ms - waitedMs)))),
    reported(`${name}: worst, elapsed`, `${us(worst.ms)}, of which it waited ${us(worst.waitedMs)} for a core`),
  )
}
const [few, many] = [stages[0]!, stages.at(-1)!]
const ratios = many.medians.map((one, round) => one / few.medians[round]!)
bars.push(atMost(`a tick among ${many.each} to one among ${few.each}`, median(ratios), 1.3, ' ×', spread(ratios)))
report('ticks', bars, 'npm run bench:trading')
