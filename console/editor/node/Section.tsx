import type { ReactNode } from 'react'
import styles from '#console/editor/node/Node.module.css'

/** A section of a form with a heading; it can start collapsed. */
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
