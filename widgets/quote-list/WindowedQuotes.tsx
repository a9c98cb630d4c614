import { type CSSProperties, type ReactNode, type RefObject, useMemo, useRef } from 'react'
import type { Listing } from '#contract/calls/market.calls.ts'
import { type RowVirtualizer, Windowed } from '#widgets/parts/rows/Windowed.tsx'
import styles from '#widgets/quote-list/QuoteList.module.css'

export interface WindowedQuotesProps {
  rows: readonly Listing[]
  label: string
  rowOf: (listing: Listing) => ReactNode
}

const rowHeight = 64

/** Renders only the rows near the window. */
export default function WindowedQuotes(props: WindowedQuotesProps) {
  const { rows } = props
  const box = useRef<HTMLUListElement>(null)
  const handle = useMemo(
    () => ({ count: rows.length, keyAt: (i: number) => rows[i]?.symbol ?? String(i), render: () => null, all: () => null }),
    [rows],
  )
  return (
    <Windowed rows={handle} rowHeight={rowHeight} box={box}>
      {(virtual, margin) => <Placed {...props} box={box} virtual={virtual} margin={margin} />}
    </Windowed>
  )
}

interface PlacedProps extends WindowedQuotesProps {
  box: RefObject<HTMLUListElement | null>
  virtual: RowVirtualizer | undefined
  margin: number
}

function Placed({ rows, label, rowOf, box, virtual, margin }: PlacedProps) {
  const height = virtual?.getTotalSize() ?? rows.length * rowHeight
  return (
    // biome-ignore lint/a11y/noRedundantRoles: a list without bullets loses its role in Safari
    <ul ref={box} role="list" aria-label={label} className={styles.window} style={{ height }}>
      {virtual?.getVirtualItems().map(({ index, start }) => {
        const listing = rows[index]
        return (
          listing && (
            <li
              key={listing.symbol}
              ref={virtual.measureElement}
              data-index={index}
              data-key={listing.symbol}
              className={`${styles.place} ${styles.placed}`}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              style={{ '--top': `${start - margin}px` } as CSSProperties}
            >
              {rowOf(listing)}
            </li>
          )
        )
      })}
    </ul>
  )
}
