import type { useFormat } from '#renderer/widget-api.ts'
import styles from '#widgets/parts/values/ChangePill.module.css'
import { directionOf } from '#widgets/parts/values/change.rules.ts'

interface ChangePillProps {
  /** Ratio as exact decimal text; undefined while nothing is known. */
  ratio: string | undefined
  percent: ReturnType<typeof useFormat>['percent']
  /** Without a ground: stands inside a line of text. */
  plain?: boolean
  root?: Record<string, unknown>
}

/** A signed change; its colour only repeats the sign. */
export function ChangePill({ ratio, percent, plain = false, root }: ChangePillProps) {
  return (
    <span {...root} className={plain ? styles.plain : styles.pill} data-direction={directionOf(ratio)}>
      {ratio === undefined ? '—' : percent(ratio, true)}
    </span>
  )
}
