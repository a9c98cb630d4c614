import type { CSSProperties } from 'react'
import { useEngineText, useFormat, type ViewProps } from '#renderer/widget-api.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { toneClass } from '#widgets/parts/look/tones.ts'
import { Notice } from '#widgets/parts/Notice.tsx'
import { ChangePill } from '#widgets/parts/values/ChangePill.tsx'
import { Hideable } from '#widgets/parts/values/Hideable.tsx'
import { SparkLine } from '#widgets/parts/values/SparkLine.tsx'
import styles from '#widgets/stat-grid/StatGrid.module.css'
import type { StatGridProps } from '#widgets/stat-grid/stat-grid.props.ts'

/** Labelled figures, two to four in a line. */
export function StatGrid({ root, props, status }: ViewProps<StatGridProps>) {
  const { label, items = [], columns = 2, plain = false, hidden = false } = props
  const say = useEngineText()
  const { percent } = useFormat()
  const shape = {
    className: styles.grid,
    'data-plain': plain || undefined,
    'data-columns': columns,
    style: { '--columns': columns } as CSSProperties,
  }
  if (status === 'loading' && items.length === 0)
    return (
      <div {...root} {...shape} aria-busy="true">
        {Array.from({ length: columns * 2 }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces are alike
          <span key={i} className={styles.stat} aria-hidden="true">
            <i className={styles.bone} />
            <i className={styles.bone} data-of="value" />
          </span>
        ))}
      </div>
    )
  if (items.length === 0)
    return (
      <div {...root}>
        <Notice icon="chart-column" title={say('widget.empty')} />
      </div>
    )
  return (
    <dl {...root} {...shape} aria-label={label}>
      {items.map((item) => (
        <Stat key={item.id} item={item} hidden={hidden} percent={percent} />
      ))}
    </dl>
  )
}

interface StatProps {
  item: StatGridProps['items'][number]
  hidden: boolean
  percent: ReturnType<typeof useFormat>['percent']
}

function Stat({ item, hidden, percent }: StatProps) {
  const { label, value, tone, unit, change, note } = item
  // A row of data may have null.
  const spark = item.spark ?? []
  const line = spark.length > 1 && !hidden
  return (
    <div className={styles.stat}>
      <dt className={styles.label}>{label}</dt>
      <dd className={classes('num', styles.value, toneClass(tone))}>
        {value === '' ? '–' : <Hideable text={value} hidden={hidden} />}
        {unit && value !== '' && !hidden && <span className={styles.unit}> {unit}</span>}
      </dd>
      {(change !== undefined || note || line) && (
        <dd className={styles.below}>
          {change !== undefined && <ChangePill ratio={change} percent={percent} plain />}
          {note && <span className={styles.note}>{note}</span>}
          {line && <SparkLine points={spark} className={styles.spark} />}
        </dd>
      )}
    </div>
  )
}
