import { type CSSProperties, type KeyboardEvent, type PointerEvent, useMemo, useState } from 'react'
import { useDepth, useEngineText, useFormat, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/depth-chart/DepthChart.module.css'
import type { DepthChartProps } from '#widgets/depth-chart/depth-chart.props.ts'
import {
  type DepthPicture,
  type DepthPoint,
  depthPicture,
  distanceOf,
  heightOf,
  placeOf,
  pointAt,
  stairs,
  walk,
} from '#widgets/depth-chart/depth-chart.rules.ts'

const width = 1_000
const height = 400

/** Depth chart: cumulative bids and asks as two stepped areas around the mid price. */
export function DepthChart({ root, props: { symbol, tick = '1' } }: ViewProps<DepthChartProps>) {
  const book = useDepth(symbol)
  const say = useEngineText()
  const picture = useMemo(() => book && depthPicture(book.bids, book.asks), [book])
  const waits = !book || book.stale
  const empty = (['bids', 'asks'] as const).filter((side) => book && !book[side].length)
  const missing = waits ? '' : empty.map((side) => say(side === 'bids' ? 'widget.chart_bids_none' : 'widget.chart_asks_none')).join(' · ')
  return (
    <div {...root} className={styles.chart} data-waits={waits || undefined} aria-busy={waits}>
      {picture ? (
        <Picture picture={picture} tick={tick} />
      ) : (
        <div className={waits ? styles.bones : styles.none} aria-hidden="true">
          {missing}
        </div>
      )}
      <p role="status" className="visually-hidden">
        {waits ? say(book ? 'widget.chart_updating' : 'widget.chart_loading') : missing}
      </p>
    </div>
  )
}

function Picture({ picture, tick }: { picture: DepthPicture; tick: string }) {
  const say = useEngineText()
  const format = useFormat()
  const points = useMemo(() => walk(picture), [picture])
  const [chosen, setChosen] = useState<number>()
  const at = chosen === undefined ? undefined : Math.min(chosen, points.length - 1)
  const point = at === undefined ? undefined : points[at]
  const price = (text: string) => format.price(text, tick)
  const words = (each: DepthPoint) => ({ price: price(each.price), amount: format.compact(each.total) })
  const spoken = point
    ? say(point.side === 'bids' ? 'widget.chart_depth_bid' : 'widget.chart_depth_ask', words(point))
    : say('widget.chart_depth_middle', { price: price(picture.mid) })

  const onKeyDown = (event: KeyboardEvent) => {
    const from = at ?? picture.bids.length - (event.key === 'ArrowRight' ? 1 : 0)
    const to = nextPoint(event.key, from, points.length - 1)
    if (to === undefined) return
    event.preventDefault()
    setChosen(to === 'none' ? undefined : to)
  }
  const onPointer = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    setChosen(pointAt(picture, (event.clientX - box.left) / box.width))
  }
  return (
    <>
      <p className={styles.readout} aria-hidden="true">
        {point ? (
          <>
            <b data-side={point.side}>{price(point.price)}</b>
            <span>{format.percent(distanceOf(picture, point.price), true)}</span>
            <span>
              {say(point.side === 'bids' ? 'widget.chart_bids' : 'widget.chart_asks')} <b>{format.compact(point.total)}</b>
            </span>
          </>
        ) : (
          <>
            <span data-key="bids">{say('widget.chart_bids')}</span>
            <span data-key="asks">{say('widget.chart_asks')}</span>
          </>
        )}
      </p>
      <div
        className={styles.plot}
        role="slider"
        tabIndex={0}
        aria-label={say('widget.chart_depth_label')}
        aria-valuemin={0}
        aria-valuemax={points.length - 1}
        aria-valuenow={at ?? picture.bids.length}
        aria-valuetext={spoken}
        onKeyDown={onKeyDown}
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        onPointerLeave={() => setChosen(undefined)}
      >
        <svg aria-hidden="true" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
          {(['bids', 'asks'] as const).map((side) => (
            <g key={side} data-side={side}>
              <path className={styles.area} d={stairs(picture, side, width, height, true)} />
              <path className={styles.edge} d={stairs(picture, side, width, height, false)} vectorEffect="non-scaling-stroke" />
            </g>
          ))}
          <path className={styles.mid} d={`M${width / 2} 0V${height}`} vectorEffect="non-scaling-stroke" />
        </svg>
        <span className={styles.most}>{format.compact(picture.most)}</span>
        {point && (
          <span
            className={styles.cursor}
            data-side={point.side}
            style={{ '--x': placeOf(picture, point.price), '--y': heightOf(picture, point.total) } as CSSProperties}
          />
        )}
      </div>
      <p className={styles.axis}>
        <span>{price(picture.low)}</span>
        <b>
          <span className="visually-hidden">{say('widget.chart_mid')} </span>
          {price(picture.mid)}
        </b>
        <span>{price(picture.high)}</span>
      </p>
    </>
  )
}

function nextPoint(key: string, from: number, last: number): number | 'none' | undefined {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return Math.max(0, from - 1)
    case 'ArrowRight':
    case 'ArrowUp':
      return Math.min(last, from + 1)
    case 'Home':
      return 0
    case 'End':
      return last
    case 'Escape':
      return 'none'
    default:
      return undefined
  }
}
