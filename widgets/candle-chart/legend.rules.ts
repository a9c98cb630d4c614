import Big from 'big.js'
import type { Candle } from '#contract/calls/market.calls.ts'

/** Change of a candle to the previous close (for the first, to its own open); "0.01" is 1 %. */
export function changeAt(candles: readonly Candle[], index: number): string {
  const candle = candles[index]
  if (!candle) return '0'
  const before = new Big(candles[index - 1]?.close ?? candle.open)
  return before.eq(0) ? '0' : new Big(candle.close).minus(before).div(before).round(6).toFixed()
}

interface CandleSummary {
  last: string
  high: string
  low: string
  /** Start of the first and last candle, ms. */
  fromMs: number
  toMs: number
}

/** Summary of all candles; undefined without candles. */
export function summaryOf(candles: readonly Candle[]): CandleSummary | undefined {
  const [first, last] = [candles[0], candles.at(-1)]
  if (!first || !last) return undefined
  let { high, low } = first
  for (const candle of candles) {
    if (Number(candle.high) > Number(high)) high = candle.high
    if (Number(candle.low) < Number(low)) low = candle.low
  }
  return { last: last.close, high, low, fromMs: first.time, toMs: last.time }
}

/** Index after a key; undefined for a key that does not move. The cursor starts at the last candle. */
export function moveCursor(key: string, at: number | undefined, count: number): number | undefined {
  const last = count - 1
  if (last < 0) return undefined
  const from = at ?? last + (key === 'ArrowLeft' ? 1 : 0)
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }
  if (key === 'Home') return 0
  if (key === 'End') return last
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined
  return step === undefined ? undefined : Math.max(0, Math.min(last, from + step))
}
