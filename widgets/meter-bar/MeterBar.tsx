import { useId } from 'react'
import type { ViewProps } from '#renderer/widget-api.ts'
import { filled } from '#widgets/meter-bar/filled.rules.ts'
import styles from '#widgets/meter-bar/MeterBar.module.css'
import type { MeterBarProps } from '#widgets/meter-bar/meter-bar.props.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { toneClass } from '#widgets/parts/look/tones.ts'

/** A used share, as figures above a bar. */
export function MeterBar({ root, props }: ViewProps<MeterBarProps>) {
  const { label, value, ratio, tone = 'accent' } = props
  const id = useId()
  const share = filled(ratio)
  return (
    <div {...root} className={styles.meter}>
      <span className={styles.words}>
        <span id={id} className={styles.label}>
          {label}
        </span>
        <span className={classes('num', styles.value)}>{value}</span>
      </span>
      <meter className="visually-hidden" aria-labelledby={id} value={share}>
        {value}
      </meter>
      <svg className={classes(styles.track, toneClass(tone))} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
        <rect width={share * 100} height="1" fill="currentColor" />
      </svg>
    </div>
  )
}
