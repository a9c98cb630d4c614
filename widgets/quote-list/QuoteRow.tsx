import { memo } from 'react'
import type { Listing } from '#contract/calls/market.calls.ts'
import { CoinMark } from '#widgets/parts/look/CoinMark.tsx'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { SparkLine } from '#widgets/parts/values/SparkLine.tsx'
import { type Format, LiveCells } from '#widgets/quote-list/LiveCells.tsx'
import styles from '#widgets/quote-list/QuoteList.module.css'

/** The values that all rows of a list share; one object as long as nothing of it changes. */
export interface RowKit {
  format: Format
  spark: boolean
  star: boolean
  /** Name of the star's button. */
  starLabel: (name: string) => string
  onSelect: (symbol: string) => void
  onStar: (symbol: string) => void
}

interface QuoteRowProps {
  listing: Listing
  starred: boolean
  kit: RowKit
}

export const QuoteRow = memo(function QuoteRow({ listing, starred, kit }: QuoteRowProps) {
  const { symbol, name, title } = listing
  return (
    <>
      {kit.star && (
        <button
          type="button"
          className={styles.star}
          aria-pressed={starred}
          aria-label={kit.starLabel(name)}
          onClick={() => kit.onStar(symbol)}
        >
          <Icon name="star" size={18} />
        </button>
      )}
      <button type="button" className={`pressable ${styles.row}`} onClick={() => kit.onSelect(symbol)}>
        <CoinMark code={listing.base} />
        <span className={styles.words}>
          <Name name={name} />
          <span className={styles.title}>{title}</span>
        </span>
        {kit.spark && <SparkLine className={styles.spark} points={listing.spark} />}
        <LiveCells listing={listing} format={kit.format} />
      </button>
    </>
  )
})

export const QuoteCard = memo(function QuoteCard({ listing, kit }: Omit<QuoteRowProps, 'starred'>) {
  return (
    <button type="button" className={`pressable ${styles.card}`} onClick={() => kit.onSelect(listing.symbol)}>
      <Name name={listing.name} />
      <LiveCells plain listing={listing} format={kit.format} />
      {kit.spark && <SparkLine className={styles.wideSpark} points={listing.spark} />}
    </button>
  )
})

/** BTC/USDT, with a quiet second half. */
function Name({ name }: { name: string }) {
  const cut = name?.indexOf('/') ?? -1
  return cut < 1 ? (
    <span className={styles.name}>{name}</span>
  ) : (
    <span className={styles.name}>
      {name.slice(0, cut)}
      <small>{name.slice(cut)}</small>
    </span>
  )
}
