import type { Candle } from '#contract/calls/market.calls.ts'
import { useEngineText, useFormat } from '#renderer/widget-api.ts'
import styles from '#widgets/candle-chart/CandleChart.module.css'
import { changeAt } from '#widgets/candle-chart/legend.rules.ts'
import { ChangePill } from '#widgets/parts/values/ChangePill.tsx'

interface LegendProps {
  candles: readonly Candle[]
  /** The candle under the crosshair; otherwise the last. */
  index: number | undefined
  tick: string
  time: (ms: number) => string
}

/** Figures of one candle. Its two lines keep their height while they are empty. */
export function Legend({ candles, index, tick, time }: LegendProps) {
  const say = useEngineText()
  const format = useFormat()
  const at = index ?? candles.length - 1
  const candle = candles[at]
  if (!candle) return <p className={styles.legend} />
  const prices = [
    ['open', format.price(candle.open, tick)],
    ['high', format.price(candle.high, tick)],
    ['low', format.price(candle.low, tick)],
    ['close', format.price(candle.close, tick)],
    ['volume', format.compact(candle.volume)],
  ] as const
  return (
    <p className={styles.legend} aria-hidden="true">
      <time>{time(candle.time)}</time>
      {prices.map(([name, value]) => (
        <span key={name}>
          <i>{say(`widget.chart_${name}_short`)}</i>
          {value}
        </span>
      ))}
      <ChangePill plain ratio={changeAt(candles, at)} percent={format.percent} />
    </p>
  )
}
