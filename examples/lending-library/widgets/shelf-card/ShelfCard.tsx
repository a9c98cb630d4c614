import type { CSSProperties } from 'react'
import styles from '#examples/lending-library/widgets/shelf-card/ShelfCard.module.css'
import type { ShelfCardProps } from '#examples/lending-library/widgets/shelf-card/shelf-card.props.ts'
import type { ViewProps } from '#renderer/widget-api.ts'

/** A book with its cover, and whether it can be borrowed. */
export function ShelfCard({ root, props: { book, status }, emit }: ViewProps<ShelfCardProps, 'press'>) {
  return (
    <button {...root} type="button" className={styles.card} onClick={() => emit('press')}>
      <strong className={styles.cover} style={{ '--hue': book.hue } as CSSProperties} aria-hidden="true">
        {book.title.slice(0, 1)}
      </strong>
      <span className={styles.words}>
        {book.title}
        <span className={styles.quiet}>{book.author}</span>
      </span>
      <span className={styles.quiet}>{status}</span>
    </button>
  )
}
