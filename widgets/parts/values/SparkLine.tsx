import { memo } from 'react'
import { directionOf } from '#widgets/parts/values/change.rules.ts'
import styles from '#widgets/parts/values/SparkLine.module.css'
import { sparkPath } from '#widgets/parts/values/spark.rules.ts'

interface SparkLineProps {
  /** Decimals, oldest first. */
  points: readonly string[]
  /** Names the picture; without it assistive technology does not see it. */
  label?: string
  className?: string
  root?: Record<string, unknown>
}

const width = 64
const height = 28

/** A small line without axes, coloured by its end relative to its start. */
export const SparkLine = memo(function SparkLine({ points, label, className, root }: SparkLineProps) {
  const first = Number(points[0])
  const direction = first > 0 ? directionOf(String(Number(points.at(-1)) / first - 1)) : 'flat'
  const names = className ? `${styles.spark} ${className}` : styles.spark
  const line = <path d={sparkPath(points, width, height, 2)} vectorEffect="non-scaling-stroke" />
  const shape = { ...root, className: names, 'data-direction': direction, viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none' }
  return label === undefined ? (
    <svg {...shape} aria-hidden="true">
      {line}
    </svg>
  ) : (
    <svg {...shape} role="img" aria-label={label}>
      <title>{label}</title>
      {line}
    </svg>
  )
})
