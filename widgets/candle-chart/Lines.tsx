import Big from 'big.js'
import { type CSSProperties, type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useReducer, useRef, useState } from 'react'
import { plain } from '#contract/money.ts'
import { useEngineText } from '#renderer/widget-api.ts'
import styles from '#widgets/candle-chart/CandleChart.module.css'
import type { Canvas, CanvasSettings } from '#widgets/candle-chart/canvas.ts'
import { placesOf } from '#widgets/candle-chart/lines.rules.ts'
import { type ChartLine, toneOf } from '#widgets/candle-chart/studies/study.ts'

export type Moved = Pick<ChartLine, 'id' | 'kind' | 'price'>

interface LinesProps {
  canvas: Canvas
  /** Called whenever the canvas was drawn. */
  onDrawn: RefObject<(() => void) | undefined>
  lines: readonly ChartLine[]
  settings: CanvasSettings
  onLine: (line: Moved) => void
}

/** Handles of close lines are this far apart, so that each can be pressed. */
const handleGap = 28

const isSame = (one: ChartLine, moved: Moved | undefined) => one.id === moved?.id && one.kind === moved.kind

/** Handles of the lines that may be moved, by pointer or by arrow keys. The line itself stays where the order is until the order was changed. */
export function Lines({ canvas, onDrawn, lines, settings, onLine }: LinesProps) {
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const [moved, setMoved] = useState<Moved>()
  useEffect(() => {
    let frame = 0
    onDrawn.current = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(redraw)
    }
    redraw()
    return () => {
      cancelAnimationFrame(frame)
      onDrawn.current = undefined
    }
  }, [onDrawn])
  const commit = ({ id, kind, price }: ChartLine, to: string) => {
    setMoved(undefined)
    if (!new Big(price).eq(to)) onLine({ id, kind, price: to })
  }
  const handles = lines
    .filter(({ movable }) => movable)
    .flatMap((line) => {
      const isMoved = isSame(line, moved)
      const price = isMoved ? moved!.price : line.price
      // A handle that is held stays, so that it hears how the move ends.
      const y = canvas.yOf(price, isMoved)
      return y === undefined ? [] : { line, price, y, isMoved }
    })
  const places = placesOf(
    handles.map(({ y }) => y),
    handleGap,
  )
  return handles.map(({ line, price, y, isMoved }, at) => (
    <Handle
      key={`${line.kind} ${line.id}`}
      line={line}
      price={price}
      settings={settings}
      y={isMoved ? y : places[at]!}
      onMove={(to) => setMoved({ id: line.id, kind: line.kind, price: to })}
      priceAt={canvas.priceAt}
      onCommit={(to) => commit(line, to)}
      onCancel={() => setMoved(undefined)}
    />
  ))
}

interface HandleProps {
  line: ChartLine
  price: string
  y: number
  settings: CanvasSettings
  priceAt: (y: number) => string | undefined
  onMove: (price: string) => void
  onCommit: (price: string) => void
  onCancel: () => void
}

function Handle({ line, price, y, settings, priceAt, onMove, onCommit, onCancel }: HandleProps) {
  const say = useEngineText()
  /** Whether the pointer was moved since it was put on the handle. */
  const drags = useRef(false)
  const priceOf = ({ clientY, currentTarget }: PointerEvent<HTMLButtonElement>) =>
    priceAt(clientY - currentTarget.parentElement!.getBoundingClientRect().top) ?? price
  const onPointerDown = ({ currentTarget, pointerId }: PointerEvent<HTMLButtonElement>) => {
    drags.current = false
    currentTarget.setPointerCapture(pointerId)
  }
  const onPointerMove = (event: PointerEvent<HTMLButtonElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    drags.current = true
    onMove(priceOf(event))
  }
  const cancel = () => {
    drags.current = false
    onCancel()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }
    const step = steps[event.key]
    if (event.key === 'Escape') return cancel()
    if (event.key === 'Enter') return onCommit(price)
    if (step === undefined) return
    event.preventDefault()
    const to = new Big(price).plus(new Big(settings.tick).times(step))
    if (to.gt(0)) onMove(plain(to))
  }
  return (
    <button
      type="button"
      role="slider"
      aria-orientation="vertical"
      aria-label={say('widget.chart_line_handle', { label: line.label })}
      aria-valuenow={Number(price)}
      aria-valuetext={settings.price(price)}
      data-line={line.kind}
      data-tone={toneOf(line.kind)}
      className={styles.handle}
      style={{ '--y': `${y}px` } as CSSProperties}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={(event) => onCommit(drags.current ? priceOf(event) : price)}
      onLostPointerCapture={cancel}
      onBlur={cancel}
      onKeyDown={onKeyDown}
    >
      <span>
        {line.label} {settings.price(price)}
      </span>
    </button>
  )
}
