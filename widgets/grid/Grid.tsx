import type { CSSProperties } from 'react'
import type { ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/grid/Grid.module.css'

export function Grid({ root, props, slots }: ViewProps<{ columns?: number; gap?: number }, never, 'body'>) {
  const { columns = 2, gap = 12 } = props
  return (
    <div {...root} className={styles.grid} data-grid="" style={{ '--columns': columns, '--gap': `${gap}px` } as CSSProperties}>
      {slots.body.all()}
    </div>
  )
}
