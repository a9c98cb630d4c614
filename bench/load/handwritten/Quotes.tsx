import { memo } from 'react'
import { useQuote } from '#bench/load/handwritten/quotes.ts'
import type { Listing } from '#contract/calls/market.calls.ts'
import { CoinMark } from '#widgets/parts/look/CoinMark.tsx'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { ChangePill } from '#widgets/parts/values/ChangePill.tsx'
import { SparkLine } from '#widgets/parts/values/SparkLine.tsx'
import { Ticking } from '#widgets/parts/values/Ticking.tsx'
import styles from '#widgets/quote-list/QuoteList.module.css'

const formats = new Map<number, Intl.NumberFormat>()
function price(text: string, tick: string): string {
  const decimals = tick.split('.')[1]?.length ?? 0
  let format = formats.get(decimals)
  if (!format) {
    format = new Intl.NumberFormat('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
    formats.set(decimals, format)
  }
  return format.format(text as never)
}
const percentFormat = new Intl.NumberFormat('en', {
  style: 'percent',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  signDisplay: 'exceptZero',
})
const percent = (ratio: string) => percentFormat.format(ratio as never)

const Cells = memo(function Cells({ listing, plain = false }: { listing: Listing; plain?: boolean }) {
  const { last, change } = useQuote(listing.symbol) ?? listing.quote24h
  return (
    <span className={styles.cells}>
      <Ticking className={styles.price} value={last} text={price(last, listing.tick)} />
      <ChangePill plain={plain} ratio={change} percent={percent} />
    </span>
  )
})

function Name({ name }: { name: string }) {
  const [base, quote] = name.split('/')
  return (
    <span className={styles.name}>
      {base}
      <small>/{quote}</small>
    </span>
  )
}

const Row = memo(function Row({ listing, star }: { listing: Listing; star: boolean }) {
  return (
    <li data-key={listing.symbol} className={styles.place}>
      {star && (
        <button type="button" className={styles.star} aria-pressed={false} aria-label={`Favourite: ${listing.name}`}>
          <Icon name="star" size={18} />
        </button>
      )}
      <button type="button" className={`pressable ${styles.row}`}>
        <CoinMark code={listing.base} />
        <span className={styles.words}>
          <Name name={listing.name} />
          <span className={styles.title}>{listing.title}</span>
        </span>
        <SparkLine className={styles.spark} points={listing.spark} />
        <Cells listing={listing} />
      </button>
    </li>
  )
})

export function Rows({ rows, label, star = false }: { rows: readonly Listing[]; label: string; star?: boolean }) {
  return (
    <ul aria-label={label}>
      {rows.map((listing) => (
        <Row key={listing.symbol} listing={listing} star={star} />
      ))}
    </ul>
  )
}

export function Cards({ rows, label }: { rows: readonly Listing[]; label: string }) {
  return (
    <ul aria-label={label} className={styles.cards}>
      {rows.map((listing) => (
        <li key={listing.symbol} data-key={listing.symbol} className={styles.cardPlace}>
          <button type="button" className={`pressable ${styles.card}`}>
            <Name name={listing.name} />
            <Cells plain listing={listing} />
            <SparkLine className={styles.wideSpark} points={listing.spark} />
          </button>
        </li>
      ))}
    </ul>
  )
}
