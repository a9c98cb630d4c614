import type { CSSProperties } from 'react'
import { useLanguage, type ViewProps } from '#renderer/widget-api.ts'
import { barsOf } from '#widgets/month-bars/bars.rules.ts'
import styles from '#widgets/month-bars/MonthBars.module.css'
import type { MonthBarsProps } from '#widgets/month-bars/month-bars.props.ts'
import { dateFormat } from '#widgets/parts/values/dates.rules.ts'

/** Bars of a count per month, each labelled with month and count. */
export function MonthBars({ root, props }: ViewProps<MonthBarsProps>) {
  const { label, months } = props
  const { tag } = useLanguage()
  const short = dateFormat(tag, { month: 'narrow', timeZone: 'UTC' })
  const long = dateFormat(tag, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return (
    <ol {...root} className={styles.bars} aria-label={label}>
      {barsOf(months).map(({ month, count, share, at }) => (
        <li key={month} className={styles.month}>
          <span className={styles.count} aria-hidden="true">
            {count > 0 ? count : ''}
          </span>
          <span className={styles.bar} data-none={count === 0 || undefined} style={{ '--share': share } as CSSProperties} />
          <span className={styles.name} aria-hidden="true">
            {at === undefined ? month : short.format(at)}
          </span>
          <span className="visually-hidden">{`${at === undefined ? month : long.format(at)}: ${count}`}</span>
        </li>
      ))}
    </ol>
  )
}
