import { useId } from 'react'
import type { ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/date-range/DateRange.module.css'
import type { DateRangeProps } from '#widgets/date-range/date-range.props.ts'
import { daysOf, rangeOf } from '#widgets/date-range/range.rules.ts'
import { DayBox } from '#widgets/parts/fields/DayBox.tsx'
import frame from '#widgets/parts/fields/field.module.css'

/** A range of two days. `change` emits ms from the start of the first day to the end of the last day. */
export function DateRange({ root, props, emit, enabled }: ViewProps<DateRangeProps, 'change'>) {
  const { label, fromLabel, toLabel, from = null, to = null } = props
  const id = useId()
  const { first, last } = daysOf({ from, to })
  const tell = (one: string, other: string) => {
    const range = rangeOf(one, other)
    if (range.from !== from || range.to !== to) emit('change', range)
  }
  const day = (name: 'from' | 'to', words: string, value: string, change: (text: string) => void) => (
    <div className={styles.day}>
      <label className={frame.label} htmlFor={`${id}${name}`}>
        {words}
      </label>
      <DayBox
        id={`${id}${name}`}
        value={value}
        disabled={!enabled}
        min="2000-01-01"
        max="2099-12-31"
        onChange={(event) => change(event.target.value)}
      />
    </div>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid everywhere
    <div {...root} role="group" aria-label={label} className={styles.range}>
      {day('from', fromLabel, first, (text) => tell(text, last))}
      {day('to', toLabel, last, (text) => tell(first, text))}
    </div>
  )
}
