import type { ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/badge/Badge.module.css'
import { classes } from '#widgets/parts/look/classes.ts'
import { type Tone, toneClass } from '#widgets/parts/look/tones.ts'

export function Badge({ root, props }: ViewProps<{ text: string; tone?: Tone }>) {
  const { text, tone = 'quiet' } = props
  return (
    <span {...root} className={classes(styles.badge, toneClass(tone), styles[`on-${tone}`])}>
      {text}
    </span>
  )
}
