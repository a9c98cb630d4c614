import { useSyncExternalStore } from 'react'
import type { ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/split/Split.module.css'

interface Props {
  narrow?: readonly Part[] | undefined
}

const wide = typeof matchMedia === 'function' ? matchMedia('(min-width: 900px)') : undefined

function subscribe(wake: () => void): () => void {
  wide?.addEventListener('change', wake)
  return () => wide?.removeEventListener('change', wake)
}

type Part = 'main' | 'side' | 'end'
const beside: readonly Part[] = ['main', 'side', 'end']

export function Split({ root, props, slots }: ViewProps<Props, never, Part>) {
  const isWide = useSyncExternalStore(subscribe, () => wide?.matches ?? false)
  // Columns scroll of their own where they stand side by side, and a keyboard must be able to scroll them.
  const stop = isWide ? 0 : undefined
  const parts = isWide ? beside : (props.narrow ?? beside)
  return (
    <div {...root} className={styles.split}>
      {parts.map((part) =>
        part === 'main' || slots[part].count > 0 ? (
          <div key={part} className={part === 'main' ? styles.main : styles.side} tabIndex={part === 'end' ? stop : undefined}>
            {slots[part].all()}
          </div>
        ) : null,
      )}
    </div>
  )
}
