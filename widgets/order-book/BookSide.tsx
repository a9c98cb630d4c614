import { type CSSProperties, type KeyboardEvent, memo, useState } from 'react'
import styles from '#widgets/order-book/OrderBook.module.css'
import type { BookRow, Side } from '#widgets/order-book/order-book.rules.ts'

/** Functions shared by all rows; the same object until one of them changes. */
export interface BookKit {
  price: (text: string) => string
  size: (text: string) => string
  total: (text: string) => string
  /** Accessible name of a row; `isOwn`: an order of the customer lies in it. */
  label: (side: Side, row: { price: string; size: string; total: string }, isOwn: boolean) => string
  /** The raw price of the row. */
  onPrice: (price: string) => void
}

interface BookSideProps {
  side: Side
  label: string
  /** Best price first. */
  rows: readonly BookRow[]
  /** Indexes of the rows in which orders of the customer lie. */
  own: ReadonlySet<number>
  /** Rows that keep their place even while nothing lies there. */
  places: number
  /** Shown where the book is there and nobody offers on this side; undefined while it is on its way. */
  empty?: string | undefined
  /** Bars of both sides have one scale: length of this side's longest, 0 to 1. */
  scale: number
  /** Best price at the bottom. */
  upsideDown: boolean
  kit: BookKit
}

/** One side of the book. Tab enters it once, arrow keys move among its rows. */
export function BookSide({ side, label, rows, own, places, empty, scale, upsideDown, kit }: BookSideProps) {
  const [current, setCurrent] = useState(0)
  const indexes = Array.from({ length: places }, (_, i) => (upsideDown ? places - 1 - i : i))
  const reachable = Math.min(current, Math.max(0, rows.length - 1))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a legend and looks that are not wanted here
    <div role="group" aria-label={label} className={styles.side} data-side={side} onKeyDown={moveFocus}>
      {indexes.map((index) => {
        const row = rows[index]
        return row ? (
          <Row
            key={index}
            side={side}
            price={row.price}
            size={row.size}
            total={row.total}
            share={Math.round(row.share * scale * 1_000) / 1_000}
            isOwn={own.has(index)}
            index={index}
            reachable={index === reachable}
            onFocus={setCurrent}
            kit={kit}
          />
        ) : (
          <div key={index} className={styles.blank}>
            {index === 0 && empty}
          </div>
        )
      })}
    </div>
  )
}

const moves: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const move = moves[event.key]
  if (!move) return
  const rows = [...event.currentTarget.querySelectorAll('button')]
  const at = rows.indexOf(event.target as HTMLButtonElement)
  if (at < 0) return
  event.preventDefault()
  rows[move(at, rows.length - 1)]?.focus()
}

interface RowProps extends Omit<BookRow, 'share'> {
  side: Side
  share: number
  isOwn: boolean
  index: number
  reachable: boolean
  onFocus: (index: number) => void
  kit: BookKit
}

/** Keyed by position: a new book changes the text of rows that differ and creates no elements. */
const Row = memo(function Row({ side, price, size, total, share, isOwn, index, reachable, onFocus, kit }: RowProps) {
  const shown = { price: kit.price(price), size: kit.size(size), total: kit.total(total) }
  return (
    <button
      type="button"
      className={styles.row}
      tabIndex={reachable ? 0 : -1}
      aria-label={kit.label(side, shown, isOwn)}
      data-own={isOwn || undefined}
      style={{ '--share': share } as CSSProperties}
      onFocus={() => onFocus(index)}
      onClick={() => kit.onPrice(price)}
    >
      <span className={styles.price}>{shown.price}</span>
      <span className={styles.size}>{shown.size}</span>
      <span className={styles.total}>{shown.total}</span>
    </button>
  )
})
