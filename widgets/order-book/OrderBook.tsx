import { type ReactNode, useMemo, useState } from 'react'
import { useDepth, useEngineText, useFormat, useQuote, type ViewProps } from '#renderer/widget-api.ts'
import { type BookKit, BookSide } from '#widgets/order-book/BookSide.tsx'
import styles from '#widgets/order-book/OrderBook.module.css'
import type { OrderBookProps } from '#widgets/order-book/order-book.props.ts'
import {
  balance,
  bookRows,
  type OwnOrder,
  ownRows,
  sizeDecimals,
  spreadOf,
  stepCounts,
  stepText,
} from '#widgets/order-book/order-book.rules.ts'
import { directionOf } from '#widgets/parts/values/change.rules.ts'
import { Ticking } from '#widgets/parts/values/Ticking.tsx'

const rowTexts = {
  bids: { own: 'widget.chart_bid_row_own', other: 'widget.chart_bid_row' },
  asks: { own: 'widget.chart_ask_row_own', other: 'widget.chart_ask_row' },
} as const

const noOrders: readonly OwnOrder[] = []

type Props = ViewProps<OrderBookProps, 'price'>

/** Order book of a symbol. A press on a row emits its price. */
export function OrderBook({ root, props, emit }: Props) {
  const { symbol, tick = '1', levels = 10, own = noOrders, layout = 'stacked' } = props
  const book = useDepth(symbol)
  const say = useEngineText()
  const format = useFormat()
  const [count, setCount] = useState<number>(1)
  const step = stepText(tick, count)

  const bids = useMemo(() => bookRows(book?.bids ?? [], 'bids', tick, count, levels), [book, tick, count, levels])
  const asks = useMemo(() => bookRows(book?.asks ?? [], 'asks', tick, count, levels), [book, tick, count, levels])
  const ownBids = useMemo(() => ownRows(bids, own, 'bids', tick, count), [bids, own, tick, count])
  const ownAsks = useMemo(() => ownRows(asks, own, 'asks', tick, count), [asks, own, tick, count])
  const scale = balance(bids, asks)
  const best = book?.bids[0] ?? book?.asks[0]
  const decimals = sizeDecimals(best?.[0], book ? [...book.bids, ...book.asks] : [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `say` stays the same when the language changes, `format` does not
  const kit = useMemo<BookKit>(() => {
    const amount = (text: string) => (Number(text) >= 1e6 ? format.compact(text) : format.amount(text, { min: decimals, max: decimals }))
    return {
      price: (text) => format.price(text, count === 1 ? tick : step),
      size: amount,
      total: amount,
      label: (side, row, isOwn) => say(rowTexts[side][isOwn ? 'own' : 'other'], row),
      onPrice: (price) => emit('price', price),
    }
  }, [format, decimals, tick, step, count, emit])

  const waits = book === undefined || book.stale
  const sideOf = (side: 'bids' | 'asks') => (
    <BookSide
      side={side}
      label={say(side === 'bids' ? 'widget.chart_bids' : 'widget.chart_asks')}
      rows={side === 'bids' ? bids : asks}
      own={side === 'bids' ? ownBids : ownAsks}
      places={levels}
      empty={
        waits || (side === 'bids' ? bids : asks).length
          ? undefined
          : say(side === 'bids' ? 'widget.chart_bids_none' : 'widget.chart_asks_none')
      }
      scale={scale[side]}
      upsideDown={side === 'asks' && layout === 'stacked'}
      kit={kit}
    />
  )
  const middle = (
    <Middle symbol={symbol} tick={tick} spread={book && spreadOf(book.bids, book.asks)}>
      <StepSelect tick={tick} count={count} onCount={setCount} />
    </Middle>
  )
  return (
    <div {...root} className={styles.book} data-layout={layout} data-waits={waits || undefined} aria-busy={waits}>
      {layout === 'sides' && middle}
      <Heads layout={layout} />
      <div className={styles.sides}>
        {sideOf(layout === 'sides' ? 'bids' : 'asks')}
        {layout === 'stacked' && middle}
        {sideOf(layout === 'sides' ? 'asks' : 'bids')}
      </div>
      <p role="status" className={styles.veil}>
        {waits && <span>{say(book ? 'widget.chart_updating' : 'widget.chart_loading')}</span>}
      </p>
    </div>
  )
}

/** Column headings, hidden from screen readers, because each row has an accessible name. */
function Heads({ layout }: { layout: 'stacked' | 'sides' }) {
  const say = useEngineText()
  const words = { price: say('widget.chart_price'), size: say('widget.chart_amount'), total: say('widget.chart_total') }
  const columns = layout === 'sides' ? (['size', 'price', 'price', 'size'] as const) : (['price', 'size', 'total'] as const)
  return (
    <div className={styles.columns} aria-hidden="true">
      {columns.map((column, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns have places, not names
        <span key={i} className={styles.column} data-column={column}>
          {words[column]}
        </span>
      ))}
    </div>
  )
}

function StepSelect({ tick, count, onCount }: { tick: string; count: number; onCount: (count: number) => void }) {
  const say = useEngineText()
  const format = useFormat()
  return (
    <span className={styles.step}>
      <select aria-label={say('widget.chart_price_step')} value={count} onChange={(event) => onCount(Number(event.target.value))}>
        {stepCounts.map((each) => (
          <option key={each} value={each}>
            {format.amount(stepText(tick, each))}
          </option>
        ))}
      </select>
    </span>
  )
}

interface MiddleProps {
  symbol: string
  tick: string
  spread: ReturnType<typeof spreadOf>
  children: ReactNode
}

/** The last price, between asks and bids. */
function Middle({ symbol, tick, spread, children }: MiddleProps) {
  const quote = useQuote(symbol)
  const say = useEngineText()
  const format = useFormat()
  return (
    <div className={styles.middle}>
      <span className={styles.last} data-direction={directionOf(quote?.change)}>
        <span className="visually-hidden">{say('widget.chart_last_price')} </span>
        <Ticking value={quote?.last} text={quote ? format.price(quote.last, tick) : '—'} />
      </span>
      <span className={styles.spread}>
        {say('widget.chart_spread')} {spread ? `${format.price(spread.amount, tick)} (${ratioText(spread.ratio, format.percent)})` : '—'}
      </span>
      {children}
    </div>
  )
}

/** A small ratio that would round to 0.00 % is shown as less than the smallest figure. */
function ratioText(ratio: string, percent: (ratio: string) => string): string {
  const value = Number(ratio)
  return value > 0 && value < 0.00005 ? `< ${percent('0.0001')}` : percent(ratio)
}
