import type { ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/split/Split.module.css'

export function Split({ root, slots }: ViewProps<Record<string, never>, never, 'main' | 'side' | 'end'>) {
  const { main, side, end } = slots
  return (
    <div {...root} className={styles.split}>
      <div className={styles.main}>{main.all()}</div>
      {side.count > 0 && <div className={styles.side}>{side.all()}</div>}
      {end.count > 0 && <div className={styles.side}>{end.all()}</div>}
    </div>
  )
}
