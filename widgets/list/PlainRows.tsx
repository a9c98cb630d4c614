import type { SlotHandle } from '#renderer/widget-api.ts'
import styles from '#widgets/list/List.module.css'

/** The first `count` rows, without windowing. */
export function PlainRows({ rows, count, label }: { rows: SlotHandle; count: number; label?: string }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a list without bullets loses its role in Safari
    <ul role="list" aria-label={label}>
      {Array.from({ length: count }, (_, i) => (
        <li key={rows.keyAt(i)} className={styles.row}>
          {rows.render(i)}
        </li>
      ))}
    </ul>
  )
}
