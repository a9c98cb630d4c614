import type { ViewProps } from '#renderer/widget-api.ts'
import { SparkLine } from '#widgets/parts/values/SparkLine.tsx'
import styles from '#widgets/sparkline/Sparkline.module.css'
import type { SparklineProps } from '#widgets/sparkline/sparkline.props.ts'

/** A line without axes, as wide as its place. */
export function Sparkline({ root, props: { points = [], label } }: ViewProps<SparklineProps>) {
  return <SparkLine root={{ ...root }} className={styles.wide} points={points} label={label} />
}
