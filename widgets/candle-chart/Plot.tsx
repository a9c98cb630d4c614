import { type KeyboardEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Candle } from '#contract/calls/market.calls.ts'
import styles from '#widgets/candle-chart/CandleChart.module.css'
import type { Canvas, CanvasSettings } from '#widgets/candle-chart/canvas.ts'
import { Lines, type Moved } from '#widgets/candle-chart/Lines.tsx'
import { moveCursor } from '#widgets/candle-chart/legend.rules.ts'
import { onLook } from '#widgets/candle-chart/look.ts'
import { type ChartLine, panesOf, type Study } from '#widgets/candle-chart/studies/study.ts'

interface PlotProps {
  /** Another one is another chart: it is shown from its end. */
  chartKey: string
  candles: readonly Candle[]
  settings: CanvasSettings
  studies: readonly Study[]
  lines: readonly ChartLine[]
  /** A line was moved to another price. */
  onLine: (line: Moved) => void
  /** The candle that the crosshair is on, moved by key or pointer. */
  index: number | undefined
  label: string
  valueText: string
  onCursor: (timeMs: number | undefined) => void
  onNearStart: () => void
  onBroken: () => void
  /** The content over the canvas while it has nothing to show. */
  children: ReactNode
}

/**
 * The canvas, and a keyboard control above it that lets pointers through to the canvas and its link. The chart library is loaded as a
 * separate chunk.
 */
export function Plot(props: PlotProps) {
  const { chartKey, candles, settings, studies, lines, onLine, index, label, valueText, onCursor, onNearStart, onBroken, children } = props
  const host = useRef<HTMLDivElement>(null)
  const shownKey = useRef('')
  /** True after the crosshair was moved by a key; a pointer is followed by the library itself. */
  const byKey = useRef(false)
  const [canvas, setCanvas] = useState<Canvas>()
  const onDrawn = useRef<(() => void) | undefined>(undefined)
  const make = useEffectEvent((create: typeof import('#widgets/candle-chart/canvas.ts').createCanvas) =>
    create(host.current!, settings, { cursor: (timeMs) => moved(timeMs), nearStart: () => nearStart(), drawn: () => onDrawn.current?.() }),
  )
  const moved = useEffectEvent((timeMs: number | undefined) => {
    byKey.current = false
    onCursor(timeMs)
  })
  const nearStart = useEffectEvent(onNearStart)
  const broken = useEffectEvent(onBroken)

  useEffect(() => {
    let gone = false
    let made: Canvas | undefined
    import('#widgets/candle-chart/canvas.ts').then(
      ({ createCanvas }) => {
        if (gone) return
        shownKey.current = ''
        made = make(createCanvas)
        setCanvas(made)
      },
      () => gone || broken(),
    )
    return () => {
      gone = true
      made?.remove()
      setCanvas(undefined)
    }
  }, [])
  useEffect(() => canvas?.configure(settings), [canvas, settings])
  useEffect(() => {
    if (!canvas) return
    canvas.show(candles, shownKey.current !== chartKey)
    shownKey.current = candles.length > 0 ? chartKey : ''
  }, [canvas, candles, chartKey])
  useEffect(() => canvas?.studies(studies), [canvas, studies])
  useEffect(() => canvas?.lines(lines), [canvas, lines])
  // biome-ignore lint/correctness/useExhaustiveDependencies: older candles move the place of the one that is pointed at
  useEffect(() => {
    if (byKey.current) canvas?.point(index)
  }, [canvas, candles, index])
  useEffect(() => canvas && onLook(() => canvas.repaint()), [canvas])

  const onKeyDown = (event: KeyboardEvent) => {
    const next = event.key === 'Escape' ? -1 : moveCursor(event.key, index, candles.length)
    if (next === undefined) return
    event.preventDefault()
    byKey.current = true
    onCursor(candles[next]?.time)
  }
  return (
    <div className={styles.plot} data-panes={panesOf(studies).length || undefined}>
      <div ref={host} className={styles.canvas} />
      <div
        className={styles.keys}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, candles.length - 1)}
        aria-valuenow={index ?? Math.max(0, candles.length - 1)}
        aria-valuetext={valueText}
        onKeyDown={onKeyDown}
        onBlur={() => {
          if (!byKey.current) return
          byKey.current = false
          canvas?.point(undefined)
          onCursor(undefined)
        }}
      />
      {canvas ? children : <Bones />}
      {canvas && <Lines canvas={canvas} onDrawn={onDrawn} lines={lines} settings={settings} onLine={onLine} />}
      <a className={styles.attribution} href="https://www.tradingview.com/" target="_blank" rel="noopener noreferrer">
        {attribution}
      </a>
    </div>
  )
}

/** Name of the library, required by its licence; not translated. */
const attribution = 'TradingView Lightweight Charts™'

const heights = [46, 58, 50, 64, 72, 60, 68, 80, 74, 62, 70, 84, 76, 66, 58, 70, 78, 64]

/** Skeleton of the chart. */
export function Bones() {
  return (
    <div className={styles.bones} aria-hidden="true">
      {heights.map((height, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces are alike
        <i key={i} style={{ height: `${height * 0.7}%` }} />
      ))}
    </div>
  )
}
