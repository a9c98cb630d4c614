import type { Candle, Period } from '#contract/calls/market.calls.ts'
import { nextStart } from '#widgets/candle-chart/period.rules.ts'

export const candleLimits = { page: 300, repair: 5, keptMax: 6_000 } as const

/** State of a chart for one symbol and period. Candles are sorted by time, without duplicates. */
export interface CandleState {
  readonly status: 'loading' | 'ready' | 'failed'
  readonly candles: readonly Candle[]
  /** Earlier pages: may be requested, being loaded, or none left. */
  readonly older: 'idle' | 'loading' | 'end'
  /** The last candle is closed. */
  readonly final: boolean
  /** Number of the newest candles to request again, because the feed has skipped some; 0 for none. */
  readonly repair: number
}

export type CandleEvent =
  | { kind: 'reset' }
  | { kind: 'newest'; list: readonly Candle[] }
  | { kind: 'older'; list: readonly Candle[] }
  | { kind: 'ask-older' }
  | { kind: 'older-failed' }
  | { kind: 'failed' }
  | { kind: 'live'; candle: Candle; final: boolean }

export const noCandles: CandleState = { status: 'loading', candles: [], older: 'idle', final: false, repair: 0 }

/** Merges two lists by time; for equal times the candle of the second list is used. */
export function join(before: readonly Candle[], after: readonly Candle[]): readonly Candle[] {
  const byTime = new Map<number, Candle>()
  for (const candle of before) byTime.set(candle.time, candle)
  for (const candle of after) byTime.set(candle.time, candle)
  return [...byTime.values()].sort((a, b) => a.time - b.time)
}

/** Returns the next state after an answer or a message of the feed. */
export function reduceCandles(state: CandleState, event: CandleEvent, period: Period): CandleState {
  switch (event.kind) {
    case 'reset':
      return noCandles
    case 'failed':
      return state.candles.length > 0 ? { ...state, repair: 0 } : { ...state, status: 'failed' }
    case 'newest':
      return newest(state, event.list, period)
    case 'ask-older':
      return { ...state, older: 'loading' }
    case 'older-failed':
      return { ...state, older: 'idle' }
    case 'older':
      return older(state, event.list)
    case 'live':
      return live(state, event.candle, event.final, period)
  }
}

/** A page that does not connect to the known candles replaces them, so that the chart shows no false gap. */
function newest(state: CandleState, list: readonly Candle[], period: Period): CandleState {
  const last = state.candles.at(-1)
  const first = list[0]
  const apart = last !== undefined && first !== undefined && first.time > nextStart(last.time, period)
  const candles = apart ? list : join(state.candles, list)
  return { ...state, status: 'ready', candles, older: apart ? 'idle' : state.older, final: false, repair: 0 }
}

function older(state: CandleState, list: readonly Candle[]): CandleState {
  const first = state.candles[0]
  const before = first ? list.filter(({ time }) => time < first.time) : list
  if (before.length === 0) return { ...state, older: 'end' }
  const candles = join(before, state.candles)
  return { ...state, candles, older: candles.length >= candleLimits.keptMax ? 'end' : 'idle' }
}

/** The feed sends the open candle repeatedly and each closed one once. Skipped candles are requested again. */
function live(state: CandleState, candle: Candle, final: boolean, period: Period): CandleState {
  if (state.status !== 'ready') return state
  const last = state.candles.at(-1)
  if (!last) return { ...state, candles: [candle], final }
  if (candle.time < last.time) return state
  if (candle.time === last.time) {
    return same(candle, last) && final === state.final ? state : { ...state, candles: [...state.candles.slice(0, -1), candle], final }
  }
  const next = nextStart(last.time, period)
  if (candle.time > next) return { ...state, repair: candleLimits.page }
  return {
    ...state,
    candles: [...state.candles, candle],
    final,
    repair: state.final ? state.repair : Math.max(state.repair, candleLimits.repair),
  }
}

const same = (a: Candle, b: Candle) =>
  a.close === b.close && a.high === b.high && a.low === b.low && a.volume === b.volume && a.open === b.open

/** Whether `after` differs from `before` only in its last candle or by one more, so that only the end must be drawn. */
export function onlyLastDiffers(before: readonly Candle[], after: readonly Candle[]): boolean {
  const more = after.length - before.length
  if (before.length < 2 || (more !== 0 && more !== 1)) return false
  const known = before.length - 1 + more
  return before[0] === after[0] && before[known - 1] === after[known - 1]
}

/** Index of the candle that starts at this time; -1 for none. */
export function indexOfTime(candles: readonly Candle[], timeMs: number): number {
  let low = 0
  let high = candles.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const { time } = candles[middle]!
    if (time === timeMs) return middle
    if (time < timeMs) low = middle + 1
    else high = middle - 1
  }
  return -1
}
