import { memo } from 'react'
import type { Listing } from '#contract/calls/market.calls.ts'
import { type useFormat, useQuote } from '#renderer/widget-api.ts'
import { ChangePill } from '#widgets/parts/values/ChangePill.tsx'
import { Ticking } from '#widgets/parts/values/Ticking.tsx'
import styles from '#widgets/quote-list/QuoteList.module.css'

export type Format = ReturnType<typeof useFormat>

/**
 * The part that renders with each tick: price and change of one symbol. Formats are passed in, so that a cell subscribes only to its quote.
 */
export const LiveCells = memo(function LiveCells({ listing, format, plain }: { listing: Listing; format: Format; plain?: boolean }) {
  const { last, change } = useQuote(listing.symbol) ?? listing.quote24h
  return (
    <span className={styles.cells}>
      <Ticking className={styles.price} value={last} text={format.price(last, listing.tick)} />
      <ChangePill plain={plain} ratio={change} percent={format.percent} />
    </span>
  )
})
