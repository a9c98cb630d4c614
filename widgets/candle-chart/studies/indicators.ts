import { BollingerBands, EMA, MACD, RSI, SMA } from 'trading-signals'
import type { Candle } from '#contract/calls/market.calls.ts'
import type { IndicatorId, Study } from '#widgets/candle-chart/studies/study.ts'

/** Indicators of the chart, computed by trading-signals from closing prices. Numbers are for drawing only. */

type Step = (close: number) => readonly (number | null | undefined)[]

/** One line per value that `make` answers for each candle. */
function study(closes: readonly number[], make: () => Step, lines: readonly Omit<Study, 'values'>[]): Study[] {
  const step = make()
  const rows = closes.map(step)
  return lines.map((line, at) => ({ ...line, values: rows.map((row) => row[at] ?? undefined) }))
}

const averages = [7, 25, 99] as const
const tones = ['accent', 'warn', 'up'] as const

const makers: Record<IndicatorId, (closes: readonly number[]) => Study[]> = {
  MA: (closes) =>
    averages.flatMap((length, at) =>
      study(closes, () => once(new SMA(length)), [{ name: `MA(${length})`, pane: 'price', shape: 'line', tone: tones[at]! }]),
    ),
  EMA: (closes) =>
    averages.flatMap((length, at) =>
      study(closes, () => once(new EMA(length)), [{ name: `EMA(${length})`, pane: 'price', shape: 'dashes', tone: tones[at]! }]),
    ),
  BOLL: (closes) =>
    study(closes, () => {
      const bands = new BollingerBands(20, 2)
      return (close) => {
        const found = bands.add(close)
        return [found?.upper, found?.middle, found?.lower]
      }
    }, [
      { name: 'BOLL(20, 2)', pane: 'price', shape: 'line', tone: 'quiet' },
      { name: 'MB', pane: 'price', shape: 'dashes', tone: 'quiet' },
      { name: 'LB', pane: 'price', shape: 'line', tone: 'quiet' },
    ]),
  MACD: (closes) =>
    study(closes, () => {
      const macd = new MACD(new EMA(12), new EMA(26), new EMA(9))
      return (close) => {
        const found = macd.add(close)
        return [found?.histogram, found?.macd, found?.signal]
      }
    }, [
      { name: 'MACD(12, 26, 9)', pane: 'MACD', shape: 'bars', tone: 'quiet' },
      { name: 'DIF', pane: 'MACD', shape: 'line', tone: 'accent' },
      { name: 'DEA', pane: 'MACD', shape: 'line', tone: 'warn' },
    ]),
  RSI: (closes) => study(closes, () => once(new RSI(14)), [{ name: 'RSI(14)', pane: 'RSI', shape: 'line', tone: 'accent' }]),
}

/** A value counts once the indicator has seen as many candles as it needs. */
function once(indicator: { isStable: boolean; add(close: number): number | null }): Step {
  return (close) => {
    const value = indicator.add(close)
    return [indicator.isStable ? value : undefined]
  }
}

/** Lines of the chosen indicators, each with one value for each candle; undefined where there are too few candles before it. */
export function studiesOf(candles: readonly Candle[], chosen: readonly IndicatorId[]): Study[] {
  const closes = candles.map(({ close }) => Number(close))
  // A choice that comes from data may be absent.
  return chosen.flatMap((id) => makers[id]?.(closes) ?? [])
}
