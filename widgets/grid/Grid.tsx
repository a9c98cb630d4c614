import type { CSSProperties } from 'react'
import type { ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/grid/Grid.module.css'
import type { GridProps } from '#widgets/grid/grid.props.ts'

export function Grid({ root, props, slots }: ViewProps<GridProps, never, 'body'>) {
  const { columns = 2, gap = 12 } = props
  return (
    <div {...root} className={styles.grid} data-grid="" style={{ '--columns': columns, '--gap': `${gap}px` } as CSSProperties}>
      {slots.body.all()}
    </div>
  )
}
