import { unitsOf, type Watched } from '../../api-server/lever/trigger.rules.ts'
import { createTriggers } from '../../api-server/lever/triggers.ts'

/**
 * How long a tick takes to decide what it fires among all positions and waiting orders of one symbol: ten each time, with a thousand and with a
 * hundred thousand of each. What was fired is put back, at new levels, between the ticks that are measured.
 */
const rounds = 3_000
const warmUp = 500
const firedEach = 10
const scale = 2

function watched(id: number, at: (spread: number) => number): Watched {
  const side = id % 2 ? 'long' : 'short'
  const sign = side === 'long' ? 1 : -1
  const row = { id, rev: 1, symbol: 'BTCUSDT', side, since: 0, tpSince: 0, slSince: 0 } as const
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

function measure(each: number): { median: number; p99: number; worst: number; fired: number } {
  let seed = 7
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed / 2_147_483_648
  }
  const far = (spread: number) => 100_000 + Math.floor(random() * spread)
  const triggers = createTriggers()
  for (let id = 1; id <= 2 * each; id++) triggers.put(watched(id, far))
  const times: number[] = []
  let fired = 0
  for (let round = 1; round <= rounds; round++) {
    // Ten rows come to stand where the next tick goes.
    const mark = 5_000_000 + (round % 2 ? 1 : -1) * (50_000 + (round % 100))
    const ids = Array.from({ length: firedEach }, () => 1 + Math.floor(random() * 2 * each))
    for (const id of new Set(ids))
      triggers.put({
        ...watched(id, far),
        state: 'entrust',
        limit: mark,
        side: mark > 5_000_000 ? 'short' : 'long',
        tp: null,
        sl: null,
        liquidation: null,
      })
    const price = (mark / 100).toFixed(2)
    const began = performance.now()
    const found = triggers.take('BTCUSDT', unitsOf(price, scale), round)
    const took = performance.now() - began
    if (round > warmUp) times.push(took)
    fired += found.length
    for (const { row } of found) triggers.put(watched(row.id, far))
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor((times.length - 1) * share)]!
  return { median: at(0.5), p99: at(0.99), worst: at(1), fired }
}

const us = (ms: number) => `${(ms * 1_000).toFixed(1).padStart(8)} µs`
measure(1_000)
const medians: number[] = []
for (const each of [1_000, 10_000, 100_000]) {
  const { median, p99, worst, fired } = measure(each)
  medians.push(median)
  console.log(
    `${String(each).padStart(7)} positions and as many orders: median ${us(median)}, p99 ${us(p99)}, worst ${us(worst)}, ${(fired / rounds).toFixed(1)} fired`,
  )
}
console.log(`100,000 against 1,000: ${(medians.at(-1)! / medians[0]!).toFixed(2)}`)
