import { expect, test } from 'vitest'
import { createWalk, type WalkParameters } from '#api-server/market/sources/walk.rules.ts'

const p: WalkParameters = { basePrice: 9_800_000, dayVolatility: 0.022, ticksPerSecond: 3, tradeSize: 5_000 }
const start = Date.parse('2026-11-20T00:00:00Z')

function run(seed: number, seconds: number, from = p.basePrice, parameters = p) {
  const walk = createWalk(parameters, from, seed)
  const steps = []
  for (let ms = 0; ms <= seconds * 1_000; ms += 100) steps.push(...walk.advance(start + ms))
  return steps
}

test('the seed determines the walk', () => {
  expect(run(1, 60)).toEqual(run(1, 60))
  expect(run(1, 60)).not.toEqual(run(2, 60))
})

test('ticks come at about their rate, in order of time, without long pauses', () => {
  const steps = run(3, 600)
  expect(Math.abs(steps.length / 600 - 3)).toBeLessThan(0.3)
  steps.forEach((step, i) => {
    expect(Number.isInteger(step.price) && step.price > 0).toBe(true)
    expect(Number.isInteger(step.size) && step.size > 0).toBe(true)
    const before = steps[i - 1]?.time ?? start
    expect(step.time).toBeGreaterThanOrEqual(before)
    expect(step.time - before).toBeLessThan(1_000)
  })
})

test('a slow symbol ticks before its price counts as old', () => {
  const steps = run(4, 600, p.basePrice, { ...p, ticksPerSecond: 0.7 })
  steps.forEach((step, i) => void expect(step.time - (steps[i - 1]?.time ?? start)).toBeLessThan(3_000))
})

test('the change of an hour matches the volatility', () => {
  const moves = Array.from({ length: 40 }, (_, seed) => Math.log(run(seed, 900).at(-1)!.price / p.basePrice))
  const deviation = Math.sqrt(moves.reduce((sum, move) => sum + move * move, 0) / moves.length)
  const expected = 0.022 * Math.sqrt(900 / 86_400)
  expect(deviation / expected).toSatisfy((ratio: number) => ratio > 0.5 && ratio < 1.8)
})

test('a process that was suspended continues with one step, and a clock that was set back does no harm', () => {
  const walk = createWalk(p, p.basePrice, 5)
  walk.advance(start)
  expect(walk.advance(start + 10 * 365 * 86_400_000)).toHaveLength(1)
  expect(walk.advance(start)).toEqual([])
  const steps = [...walk.advance(start + 500), ...walk.advance(start + 1_000), ...walk.advance(start + 1_500)]
  expect(steps.length).toBeGreaterThan(0)
  expect(Math.abs(walk.price / p.basePrice - 1)).toBeLessThan(0.01)
})

test('the lowest price is one tick', () => {
  for (const step of run(6, 120, 1, { ...p, basePrice: 1, dayVolatility: 5 })) expect(step.price).toBeGreaterThanOrEqual(1)
})
