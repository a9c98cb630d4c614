import { useEffect, useMemo, useState } from 'react'
import type { Candle } from '#contract/calls/market.calls.ts'
import { useEngineText, useFormat, useLanguage, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/candle-chart/CandleChart.module.css'
import { Choices } from '#widgets/candle-chart/Choices.tsx'
import type { CandleChartProps } from '#widgets/candle-chart/candle-chart.props.ts'
import { indexOfTime } from '#widgets/candle-chart/candles.rules.ts'
import type { CanvasSettings } from '#widgets/candle-chart/canvas.ts'
import { Legend } from '#widgets/candle-chart/Legend.tsx'
import { changeAt, summaryOf } from '#widgets/candle-chart/legend.rules.ts'
import { Bones, Plot } from '#widgets/candle-chart/Plot.tsx'
import { isIntraday, periodKinds, periodWords } from '#widgets/candle-chart/period.rules.ts'
import { type ChartLine, type IndicatorId, indicatorIds, isMovable, type Study } from '#widgets/candle-chart/studies/study.ts'
import { createTimeTexts } from '#widgets/candle-chart/times/times.ts'
import { useCandles } from '#widgets/candle-chart/useCandles.ts'
import { Notice } from '#widgets/parts/Notice.tsx'
import { PushButton } from '#widgets/parts/PushButton.tsx'

const noIndicators: readonly IndicatorId[] = []
const noLines: NonNullable<CandleChartProps['lines']> = []
const noStudies: readonly Study[] = []

const lineWords = {
  entry: 'widget.chart_line_entry',
  up: 'widget.option_up',
  down: 'widget.option_down',
  target: 'widget.chart_line_target',
  stop: 'widget.chart_line_stop',
  order: 'widget.chart_line_order',
  liquidation: 'widget.chart_line_liquidation',
} as const

const faces = {
  candles: 'M5 2v3M5 12v3M3 5h4v7H3zM12 1v3M12 10v4M10 4h4v6h-4z',
  line: 'M1 12l4-5 4 3 6-8',
} as const

/** Prices of one symbol over time. */
export function CandleChart({ root, props, emit, listens }: ViewProps<CandleChartProps, 'period' | 'mode' | 'indicators' | 'line'>) {
  const { symbol, tick = '0.01', mode = 'candles', volume = true, indicators = noIndicators, lines = noLines } = props
  const period = periodKinds.find(({ id }) => id === props.period)?.id ?? '1h'
  const chartKey = `${symbol} ${period}`
  const say = useEngineText()
  const format = useFormat()
  const { tag } = useLanguage()
  const { status, candles, older, loadOlder, reload } = useCandles(symbol, period)
  const [cursor, setCursor] = useState<{ key: string; timeMs: number }>()
  const [attempt, setAttempt] = useState(0)
  const [brokenAt, setBrokenAt] = useState(-1)

  const intraday = isIntraday(period)
  const settings = useMemo<CanvasSettings>(
    () => ({ mode, volume, tick, intraday, tag, price: (text) => format.price(text, tick) }),
    [mode, volume, tick, intraday, tag, format],
  )
  const times = useMemo(() => createTimeTexts(tag, intraday), [tag, intraday])
  const time = (ms: number) => times.full(Math.floor(ms / 1_000))
  const studies = useStudies(candles, indicators)
  const mayMove = listens?.('line') ?? false
  const shownLines = useMemo<readonly ChartLine[]>(
    () =>
      lines.flat().flatMap(({ id, kind, price }) => {
        const movable = mayMove && isMovable(kind)
        return price === null ? [] : [{ id, kind, price, movable, label: say(lineWords[kind]) }]
      }),
    [lines, mayMove, say],
  )
  const found = cursor?.key === chartKey ? indexOfTime(candles, cursor.timeMs) : -1
  const index = found < 0 ? undefined : found
  const candle = index === undefined ? undefined : candles[index]

  const price = (text: string) => format.price(text, tick)
  const summary = summaryOf(candles)
  /** Lines without a handle stand on the canvas alone. */
  const fixed = shownLines.filter(({ movable }) => !movable)
  // A chart is drawn with every price, and making a format takes longer than all else here.
  const length = useMemo(() => periodWords(period, tag), [period, tag])
  const periods = useMemo(
    () =>
      periodKinds.map(({ id }) => {
        const face = say(`widget.chart_period_${id}`)
        return { id, face, label: `${face}, ${periodWords(id, tag)}` }
      }),
    [say, tag],
  )
  const spoken = summary
    ? say('widget.chart_summary', {
        symbol,
        period: length,
        last: price(summary.last),
        high: price(summary.high),
        low: price(summary.low),
        from: time(summary.fromMs),
        to: time(summary.toMs),
      })
    : ''
  const spokenCandle =
    candle && index !== undefined
      ? say('widget.chart_candle_text', {
          open: price(candle.open),
          high: price(candle.high),
          low: price(candle.low),
          close: price(candle.close),
          time: time(candle.time),
          volume: format.compact(candle.volume),
          change: format.percent(changeAt(candles, index), true),
        })
      : say('widget.chart_keys_hint')

  const broken = status === 'failed' || brokenAt === attempt
  const retry = () => {
    setAttempt(attempt + 1)
    reload()
  }
  return (
    <div {...root} className={styles.chart} data-small={props.small || undefined} aria-busy={status === 'loading'}>
      <div className={styles.bar}>
        <Choices label={say('widget.chart_periods')} value={period} onChange={(id) => emit('period', id)} options={periods} />
        <Choices
          label={say('widget.chart_mode')}
          value={mode}
          onChange={(id) => emit('mode', id)}
          options={(['candles', 'line'] as const).map((id) => ({ id, label: say(`widget.chart_${id}`), face: <Face d={faces[id]} /> }))}
        />
      </div>
      {listens?.('indicators') && (
        <fieldset className={styles.toggles} aria-label={say('widget.chart_indicators')}>
          {indicatorIds.map((id) => (
            <button
              key={id}
              type="button"
              aria-pressed={indicators.includes(id)}
              className={styles.choice}
              onClick={() =>
                emit(
                  'indicators',
                  indicatorIds.filter((one) => (one === id) !== indicators.includes(one)),
                )
              }
            >
              <span>{id}</span>
            </button>
          ))}
        </fieldset>
      )}
      <Legend candles={candles} index={index} tick={tick} time={time} />
      {studies.length > 0 && <StudyLegend studies={studies} at={index ?? candles.length - 1} tick={tick} />}
      <Plot
        key={attempt}
        chartKey={chartKey}
        candles={candles}
        settings={settings}
        studies={studies}
        lines={shownLines}
        onLine={(line) => emit('line', line)}
        index={index}
        label={say('widget.chart_label', { symbol, period: length })}
        valueText={spokenCandle}
        onCursor={(timeMs) => setCursor(timeMs === undefined ? undefined : { key: chartKey, timeMs })}
        onNearStart={loadOlder}
        onBroken={() => setBrokenAt(attempt)}
      >
        {status === 'loading' && <Bones />}
        {older === 'loading' && <span className={styles.older}>{say('widget.chart_older')}</span>}
      </Plot>
      {(broken || (status === 'ready' && candles.length === 0)) && (
        <div className={styles.over}>
          {broken ? (
            <Notice icon="triangle-alert" tone="warn" title={say('widget.chart_failed')}>
              <PushButton label={say('widget.chart_retry')} onPress={retry} />
            </Notice>
          ) : (
            <Notice icon="chart-candlestick" title={say('widget.chart_empty_title')} text={say('widget.chart_empty_text')} />
          )}
        </div>
      )}
      <p className="visually-hidden" data-part="summary">
        {spoken}
      </p>
      {fixed.length > 0 && (
        <ul className="visually-hidden">
          {fixed.map((line) => (
            <li key={`${line.kind} ${line.id}`}>
              {line.label} {price(line.price)}
            </li>
          ))}
        </ul>
      )}
      <p className="visually-hidden" role="status">
        {status === 'loading'
          ? say('widget.chart_loading')
          : broken
            ? say('widget.chart_failed')
            : older === 'loading'
              ? say('widget.chart_older')
              : ''}
      </p>
    </div>
  )
}

/** The chosen indicators; the library that computes them comes with the first of them. */
function useStudies(candles: readonly Candle[], chosen: readonly IndicatorId[]): readonly Study[] {
  const [compute, setCompute] = useState<typeof import('#widgets/candle-chart/studies/indicators.ts').studiesOf>()
  const wanted = chosen.length > 0
  useEffect(() => {
    if (wanted) void import('#widgets/candle-chart/studies/indicators.ts').then(({ studiesOf }) => setCompute(() => studiesOf))
  }, [wanted])
  return useMemo(() => (compute && wanted ? compute(candles, chosen) : noStudies), [compute, wanted, candles, chosen])
}

function StudyLegend({ studies, at, tick }: { studies: readonly Study[]; at: number; tick: string }) {
  const format = useFormat()
  const decimals = tick.split('.')[1]?.length ?? 0
  return (
    <p className={styles.studies} aria-hidden="true">
      {studies.map(({ name, values, pane }) => {
        const value = values[at]
        const text = value?.toFixed(pane === 'RSI' ? 2 : decimals)
        return (
          <span key={name}>
            {name} {text === undefined ? '–' : format.price(text, pane === 'RSI' ? '0.01' : tick)}
          </span>
        )
      })}
    </p>
  )
}

function Face({ d }: { d: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" className={styles.face}>
      <path d={d} />
    </svg>
  )
}
