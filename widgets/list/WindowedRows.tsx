import { type CSSProperties, useRef } from 'react'
import type { SlotHandle } from '#renderer/widget-api.ts'
import styles from '#widgets/list/List.module.css'
import { Windowed } from '#widgets/parts/rows/Windowed.tsx'

interface RowsProps {
  rows: SlotHandle
  /** px, estimate. */
  rowHeight: number
  label?: string
}

/** Renders only the rows near the window and reserves the space of the others. */
export default function WindowedRows({ rows, rowHeight, label }: RowsProps) {
  const box = useRef<HTMLUListElement>(null)
  return (
    <Windowed rows={rows} rowHeight={rowHeight} box={box}>
      {(virtual, margin) => (
        <ul
          ref={box}
          // biome-ignore lint/a11y/noRedundantRoles: a list without bullets loses its role in Safari
          role="list"
          aria-label={label}
          className={styles.window}
          style={{ height: virtual?.getTotalSize() ?? rows.count * rowHeight }}
        >
          {virtual?.getVirtualItems().map((item) => (
            <li
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              className={styles.placed}
              aria-setsize={rows.count}
              aria-posinset={item.index + 1}
              style={{ '--top': `${item.start - margin}px` } as CSSProperties}
            >
              {rows.render(item.index)}
            </li>
          ))}
        </ul>
      )}
    </Windowed>
  )
}
