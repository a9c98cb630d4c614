import { useMemo } from 'react'
import { useEngineText, type ViewProps } from '#renderer/widget-api.ts'
import { pictureOf, type Series } from '#widgets/line-chart/chart.rules.ts'
import styles from '#widgets/line-chart/LineChart.module.css'
import type { LineChartProps } from '#widgets/line-chart/line-chart.props.ts'
import { Plot } from '#widgets/line-chart/Plot.tsx'
import { Notice } from '#widgets/parts/Notice.tsx'

const none: readonly Series[] = []

/** Line chart of one or two series over time. */
export function LineChart({ root, props, status }: ViewProps<LineChartProps>) {
  const { label, series = none, area = false, height = 'md', emptyText } = props
  const say = useEngineText()
  const picture = useMemo(() => pictureOf(series), [series])
  const waits = status === 'loading'
  return (
    <figure {...root} className={styles.chart} data-height={height} aria-busy={waits || undefined}>
      <figcaption className="visually-hidden">{label}</figcaption>
      {picture ? (
        <Plot picture={picture} series={series} label={label} area={area} writing={props} />
      ) : waits ? (
        <div className={styles.bones} aria-hidden="true" />
      ) : (
        <div className={styles.none}>
          <Notice icon="chart-line" title={emptyText ?? say('widget.chart_no_values')} />
        </div>
      )}
    </figure>
  )
}
