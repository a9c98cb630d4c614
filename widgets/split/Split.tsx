import { useSyncExternalStore } from 'react'
import type { ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/split/Split.module.css'

const wide = typeof matchMedia === 'function' ? matchMedia('(min-width: 900px)') : undefined

function subscribe(wake: () => void): () => void {
  wide?.addEventListener('change', wake)
  return () => wide?.removeEventListener('change', wake)
}

export function Split({ root, slots }: ViewProps<Record<string, never>, never, 'main' | 'side' | 'end'>) {
  const { main, side, end } = slots
  // Columns side by side scroll separately, so each must be focusable by keyboard.
  const stop = useSyncExternalStore(subscribe, () => wide?.matches ?? false) ? 0 : undefined
  return (
    <div {...root} className={styles.split}>
      <div className={styles.main}>{main.all()}</div>
      {side.count > 0 && <div className={styles.side}>{side.all()}</div>}
      {end.count > 0 && (
        <div className={styles.side} tabIndex={stop}>
          {end.all()}
        </div>
      )}
    </div>
  )
}
