import type { ReactNode } from 'react'
import styles from '#console/parts/Badge.module.css'
import { classes } from '#widgets/parts/look/classes.ts'

export type BadgeTone = 'neutral' | 'good' | 'bad' | 'warn' | 'info' | 'accent'

/** A short state label. Its meaning is in the text; the colour only supports it. */
export function Badge({ tone = 'neutral', title, children }: { tone?: BadgeTone; title?: string; children: ReactNode }) {
  return (
    <span className={classes(styles.badge, styles[tone])} title={title}>
      {children}
    </span>
  )
}
