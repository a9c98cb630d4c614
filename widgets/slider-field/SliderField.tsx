import { type CSSProperties, type KeyboardEvent, type ReactNode, useMemo, useReducer } from 'react'
import { type FieldGiven, useEngineText, useField, useFormat, useLanguage, type ViewProps } from '#renderer/widget-api.ts'
import { FieldFrame } from '#widgets/parts/fields/FieldFrame.tsx'
import { asText, fill } from '#widgets/parts/fields/fieldValue.ts'
import { NumberBox } from '#widgets/parts/fields/NumberBox.tsx'
import { decimalsOf, finished } from '#widgets/parts/fields/number.rules.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import styles from '#widgets/slider-field/SliderField.module.css'
import { isAt, keyed, percentOf, placeOf, type Scale, type Stop, scaleOf, stopsOf, valueAt } from '#widgets/slider-field/slide.rules.ts'
import type { SliderFieldProps } from '#widgets/slider-field/slider-field.props.ts'

const asDecimal = (bound: string | number | undefined) => (bound === undefined ? undefined : String(bound))

/** A slider for an amount. Every value is a multiple of the step, computed exactly from text. */
export function SliderField({ root, props }: ViewProps<SliderFieldProps & FieldGiven>) {
  const field = useField()
  const say = useEngineText()
  const write = useWriting(props)
  const { most, percent = false, stops: marks, entry = false } = props
  const [min, max, step] = [asDecimal(props.min), asDecimal(props.max), asDecimal(props.step)]
  const scale = useMemo(() => scaleOf({ min, max, most, step, percent }), [min, max, most, step, percent])
  const stops = useMemo(() => stopsOf(scale, percent, marks), [scale, percent, marks])
  const [, draw] = useReducer((n: number) => n + 1, 0)
  const value = finished(asText(field.get()))
  const enabled = field.enabled && scale !== undefined

  const set = (next: string | undefined) => {
    if (next === undefined || !enabled) return
    if (entry) fill(field, next)
    else field.set(next)
    draw()
  }
  const share = percent && scale && value !== '' ? write.percent(percentOf(scale, value)) : undefined
  const spoken = value === '' ? say('widget.slider_unset') : [write.value(value), share].filter(Boolean).join(', ')
  const track = (
    <div className={styles.slider} data-off={!enabled || undefined}>
      <Rail scale={scale} stops={stops} value={value}>
        <input
          ref={entry ? undefined : field.focusRef}
          id={entry ? `${field.id}-track` : field.id}
          type="range"
          className={styles.range}
          min={0}
          max={scale?.places ?? 1}
          step={1}
          value={scale ? placeOf(scale, value) : 0}
          disabled={!enabled}
          aria-label={entry ? field.label : undefined}
          aria-valuetext={spoken}
          aria-invalid={field.native['aria-invalid']}
          aria-describedby={field.native['aria-describedby']}
          onChange={(event) => scale && set(valueAt(scale, Number(event.target.value)))}
          onKeyDown={(event: KeyboardEvent) => {
            if (!scale || event.altKey || event.ctrlKey || event.metaKey || !trackKeys.has(event.key)) return
            event.preventDefault()
            set(keyed(scale, stops, value, event.key))
          }}
          onBlur={field.blur}
        />
      </Rail>
      <Stops
        stops={stops}
        value={value}
        enabled={enabled}
        write={percent ? (mark) => write.percent(Number(mark)) : write.bare}
        press={set}
      />
    </div>
  )
  if (entry)
    return (
      <NumberBox
        root={root}
        props={{ ...props, step: step ?? 1, max: scale?.high.toFixed() ?? max }}
        decimals={decimalsOf(step ?? '1')}
        typed={draw}
        beside={share && <output className={classes('num', styles.share)}>{share}</output>}
        below={track}
      />
    )
  return (
    <FieldFrame
      root={root}
      field={field}
      beside={
        <output htmlFor={field.id} className={classes('num', styles.value)}>
          {value === '' ? '–' : write.value(value)}
          {share && <span className={styles.share}>{share}</span>}
        </output>
      }
    >
      {track}
    </FieldFrame>
  )
}

const trackKeys = new Set(['ArrowRight', 'ArrowUp', 'ArrowLeft', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End'])

/** Formats values and shares for the reader. */
function useWriting({ step, unit, prefix = '' }: SliderFieldProps & FieldGiven) {
  const { price } = useFormat()
  const { tag } = useLanguage()
  return useMemo(() => {
    const percents = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 0 })
    const bare = (text: string) => prefix + price(text, asDecimal(step) ?? '1')
    return {
      bare,
      value: (text: string) => (unit ? `${bare(text)} ${unit}` : bare(text)),
      percent: (whole: number) => percents.format(whole / 100),
    }
  }, [price, tag, step, unit, prefix])
}

interface RailProps {
  scale: Scale | undefined
  stops: readonly Stop[]
  value: string
  children: ReactNode
}

/** Visual track: its filled part, and a dot for each stop. */
function Rail({ scale, stops, value, children }: RailProps) {
  const share = scale ? placeOf(scale, value) / scale.places : 0
  return (
    <div className={styles.track} style={{ '--share': share } as CSSProperties}>
      <span className={styles.rail} aria-hidden="true">
        {stops.map(({ mark, at }) => (
          <i
            key={mark}
            className={styles.dot}
            data-passed={(value !== '' && at <= share) || undefined}
            style={{ '--at': at } as CSSProperties}
          />
        ))}
      </span>
      {children}
    </div>
  )
}

interface StopsProps {
  stops: readonly Stop[]
  value: string
  enabled: boolean
  write: (mark: string) => string
  press: (value: string) => void
}

/** For fingers. Page keys on the track do the same, so the stops are not in the tab order. */
function Stops({ stops, value, enabled, write, press }: StopsProps) {
  const field = useField()
  const say = useEngineText()
  return (
    <div className={styles.stops}>
      {stops.map(({ mark, value: to, at }) => (
        <button
          key={mark}
          type="button"
          tabIndex={-1}
          className={classes('pressable', styles.stop)}
          data-end={at === 0 ? 'first' : at === 1 ? 'last' : undefined}
          aria-label={say('widget.slider_stop', { label: field.label, value: write(mark) })}
          aria-pressed={isAt(value, to)}
          disabled={!enabled}
          style={{ '--at': at } as CSSProperties}
          onClick={() => press(to)}
        >
          {write(mark)}
        </button>
      ))}
    </div>
  )
}
