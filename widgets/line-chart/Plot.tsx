import { type CSSProperties, type KeyboardEvent, memo, type PointerEvent, useId, useMemo, useState } from 'react'
import { useEngineText } from '#renderer/widget-api.ts'
import {
  dotsOf,
  extremesOf,
  heightOf,
  momentAt,
  nextMoment,
  type Picture,
  pathOf,
  placeOf,
  type Series,
} from '#widgets/line-chart/chart.rules.ts'
import styles from '#widgets/line-chart/LineChart.module.css'
import { hasMinutes, timeTicks } from '#widgets/line-chart/times.rules.ts'
import { useWriting, type Writing } from '#widgets/line-chart/useWriting.ts'
import { Hideable } from '#widgets/parts/values/Hideable.tsx'

interface PlotProps {
  picture: Picture
  series: readonly Series[]
  label: string
  area: boolean
  writing: Writing
}

/** Size of the drawing, which is stretched to its place. */
const [width, height] = [1_000, 400]
const hiddenDots = '•••'
const toneOf = ({ tone }: Series, i: number) => tone ?? (i === 0 ? 'accent' : 'second')

/** Lines and axes, and the values at the finger, pointer or keyboard cursor. */
export function Plot({ picture, series, label, area, writing }: PlotProps) {
  const say = useEngineText()
  const write = useWriting(writing)
  const { hidden = false } = writing
  const [chosen, setChosen] = useState<number>()
  const last = picture.moments.length - 1
  const at = chosen === undefined ? undefined : Math.min(chosen, last)
  const moment = picture.moments[at ?? last]!
  const byTheMinute = hasMinutes(picture.from, picture.to)
  const time = write.moment(moment, byTheMinute)
  const readings = series.map((one, i) => ({ id: one.id, label: one.label, tone: toneOf(one, i), value: picture.values[i]?.get(moment) }))
  const said = (value: string | undefined) =>
    hidden ? say('widget.amount_hidden') : value === undefined ? say('widget.chart_no_value') : write.value(value)
  const several = series.length > 1
  const spoken = readings.map(({ label: name, value }) => (several ? `${name} ${said(value)}` : said(value))).join(', ')

  const summary = useMemo(() => {
    const all = series.flatMap((one, i) => {
      const values = picture.values[i]
      const ends = values && extremesOf(values)
      return ends && values ? [{ name: one.label, values, ends }] : []
    })
    const moments = { from: write.moment(picture.from, byTheMinute), to: write.moment(picture.to, byTheMinute) }
    return all
      .map(({ name, values, ends }) =>
        say('widget.chart_line_summary', {
          label: several ? `${label}, ${name}` : label,
          ...moments,
          last: write.value([...values.values()].at(-1)!),
          high: write.value(ends.high),
          low: write.value(ends.low),
        }),
      )
      .join('. ')
  }, [series, picture, write, say, label, several, byTheMinute])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const to = nextMoment(event.key, at ?? (event.key === 'ArrowRight' || event.key === 'ArrowUp' ? last - 1 : last + 1), last)
    if (to === undefined) return
    event.preventDefault()
    setChosen(to === 'none' ? undefined : to)
  }
  const onPointer = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    setChosen(box.width > 0 ? momentAt(picture, (event.clientX - box.left) / box.width) : undefined)
  }
  return (
    <>
      <div className={styles.readout} aria-hidden="true">
        <time className={styles.moment}>{time}</time>
        {readings.map(({ id, label: name, tone, value }) => (
          <span key={id} className={styles.reading} data-tone={tone}>
            {several && <span className={styles.key}>{name}</span>}
            <b className="num">{value === undefined ? '–' : <Hideable text={write.value(value)} hidden={hidden} />}</b>
          </span>
        ))}
      </div>
      {!hidden && <p className="visually-hidden">{summary}</p>}
      <div className={styles.frame}>
        <div
          className={styles.plot}
          role="slider"
          tabIndex={0}
          aria-label={say('widget.chart_line_label', { label })}
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={at ?? last}
          aria-valuetext={`${time}: ${spoken}`}
          onKeyDown={onKeyDown}
          onPointerDown={onPointer}
          onPointerMove={onPointer}
          onPointerLeave={() => setChosen(undefined)}
          onPointerCancel={() => setChosen(undefined)}
          onBlur={() => setChosen(undefined)}
        >
          <Lines picture={picture} series={series} area={area} />
          {at !== undefined && (
            <span className={styles.cursor} style={{ '--x': placeOf(picture, moment) } as CSSProperties}>
              {readings.map(({ id, tone, value }) =>
                value === undefined ? null : <i key={id} data-tone={tone} style={{ '--y': heightOf(picture, value) } as CSSProperties} />,
              )}
            </span>
          )}
        </div>
        <div className={styles.values} aria-hidden="true">
          {picture.ticks.map(({ text, place }) => (
            <span key={text} className="num" style={{ '--y': place } as CSSProperties}>
              {hidden ? hiddenDots : write.axis(text, picture.step)}
            </span>
          ))}
        </div>
        <div className={styles.times} aria-hidden="true">
          {timeTicks(picture.from, picture.to).map((tick) => (
            <span key={tick.at} style={{ '--x': placeOf(picture, tick.at) } as CSSProperties}>
              {write.label(tick)}
            </span>
          ))}
        </div>
      </div>
    </>
  )
}

/** The part that does not depend on the cursor, so that following it is cheap for any number of points. */
const Lines = memo(function Lines({ picture, series, area }: Pick<PlotProps, 'picture' | 'series' | 'area'>) {
  const id = useId()
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
      {picture.ticks.map(({ text, place }) => (
        <path key={text} className={styles.rule} d={`M0 ${Math.round((1 - place) * height)}H${width}`} vectorEffect="non-scaling-stroke" />
      ))}
      {area && series[0] && (
        <g data-tone={toneOf(series[0], 0)}>
          <linearGradient id={id} x1="0" y1="0" x2="0" y2="1">
            <stop className={styles.above} offset="0" />
            <stop className={styles.below} offset="1" />
          </linearGradient>
          <path fill={`url(#${id})`} d={pathOf(picture, 0, width, height, true)} />
        </g>
      )}
      {series.map((one, i) => (
        <g key={one.id} data-tone={toneOf(one, i)}>
          <path className={styles.line} d={pathOf(picture, i, width, height)} vectorEffect="non-scaling-stroke" />
          <path className={styles.dots} d={dotsOf(picture, i, width, height)} vectorEffect="non-scaling-stroke" />
        </g>
      ))}
    </svg>
  )
})
