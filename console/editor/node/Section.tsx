import type { ReactNode } from 'react'
import styles from '#console/editor/node/Node.module.css'

/** A part of a form with its heading; folded where it is seldom needed. */
export function Section({
  title,
  help,
  folded = false,
  children,
}: {
  title: string
  help?: string
  folded?: boolean
  children: ReactNode
}) {
  return (
    <details className={styles.section} open={!folded}>
      <summary className={styles.heading}>{title}</summary>
      {help && <p className={styles.help}>{help}</p>}
      {children}
    </details>
  )
}
