import type { ViewProps } from '#renderer/widget-api.ts'
import { SparkLine } from '#widgets/parts/figures/SparkLine.tsx'
import styles from '#widgets/sparkline/Sparkline.module.css'

interface SparklineProps {
  points: string[]
  label?: string
}

/** A line without axes that fills its width. */
export function Sparkline({ root, props: { points = [], label } }: ViewProps<SparklineProps>) {
  return <SparkLine root={{ ...root }} className={styles.wide} points={points} label={label} />
}
