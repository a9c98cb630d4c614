import type { ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/badge/Badge.module.css'
import type { BadgeProps } from '#widgets/badge/badge.props.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { toneClass } from '#widgets/parts/look/tones.ts'

export function Badge({ root, props }: ViewProps<BadgeProps>) {
  const { text, tone = 'quiet' } = props
  return (
    <span {...root} className={classes(styles.badge, toneClass(tone), styles[`on-${tone}`])}>
      {text}
    </span>
  )
}
