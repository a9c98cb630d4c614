import { type CSSProperties, type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Listing } from '#contract/calls/market.calls.ts'
import { feedLimits } from '#contract/feed.ts'
import { lazy, useEngineText, useFormat, useQuotes, type ViewProps } from '#renderer/widget-api.ts'
import { SkeletonShape } from '#widgets/parts/look/SkeletonShape.tsx'
import { Notice } from '#widgets/parts/Notice.tsx'
import { PushButton } from '#widgets/parts/PushButton.tsx'
import styles from '#widgets/quote-list/QuoteList.module.css'
import { QuoteCard, QuoteRow, type RowKit } from '#widgets/quote-list/QuoteRow.tsx'
import type { QuoteListProps } from '#widgets/quote-list/quote-list.props.ts'
import type { Sort } from '#widgets/quote-list/quote-list.rules.ts'
import { SortBar } from '#widgets/quote-list/SortBar.tsx'
import { useSorted } from '#widgets/quote-list/useSorted.ts'
import type { WindowedQuotesProps } from '#widgets/quote-list/WindowedQuotes.tsx'

type Props = ViewProps<QuoteListProps, 'select' | 'star' | 'empty'>

const WindowedQuotes = lazy<WindowedQuotesProps & { plain: ReactNode }>(
  () => import('#widgets/quote-list/WindowedQuotes.tsx'),
  ({ plain }) => plain,
)
const plainRowsMax = 60
const none: Listing[] = []
const rowPx = 64
/** Number of rows visible below the heads of a screen. */
const firstRows = () => Math.max(8, Math.ceil(innerHeight / rowPx) - 4)

/** Number of rows to render: one screenful first, so that a tap is answered quickly, and all after that was painted. */
function useDrawn(count: number): number {
  const [first] = useState(firstRows)
  const [all, setAll] = useState(count <= first)
  useEffect(() => {
    if (all) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setAll(true))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [all])
  return all ? count : first
}

/** Instruments with live prices. A tick renders only the cells of its symbol. */
export function QuoteList(view: Props) {
  const { root, props, status } = view
  const rows = props.rows ?? none
  if (rows.length > 0) return <Filled {...view} rows={rows} />
  return (
    <div {...root} aria-busy={status === 'loading' || undefined}>
      {status === 'loading' ? (
        <SkeletonShape shape={props.layout === 'cards' ? 'card' : 'row'} count={props.layout === 'cards' ? 1 : 6} />
      ) : (
        <Empty {...view} />
      )}
    </div>
  )
}

function Empty({ props: { emptyTitle, emptyText, emptyAction }, emit }: Props) {
  const say = useEngineText()
  return (
    <Notice icon="chart-candlestick" title={emptyTitle ?? say('widget.empty')} text={emptyText}>
      {emptyAction !== undefined && <PushButton label={emptyAction} onPress={() => emit('empty')} />}
    </Notice>
  )
}

function Filled({ root, props, emit, rows }: Props & { rows: Listing[] }) {
  const { layout = 'list', star = false, favourites, spark = false, sortable = false, label } = props
  const say = useEngineText()
  const format = useFormat()
  const [sort, setSort] = useState<Sort>()
  const shown = useSorted(rows, sort)
  useQuotes(useMemo(() => rows.slice(0, feedLimits.subscriptionsMax).map((row) => row.symbol), [rows]))
  const kit = useMemo<RowKit>(
    () => ({
      format,
      spark,
      star,
      starLabel: (name) => say('widget.chart_favourite', { name }),
      onSelect: (symbol) => emit('select', symbol),
      onStar: (symbol) => emit('star', symbol),
    }),
    [format, spark, star, say, emit],
  )
  const drawn = useDrawn(Math.min(shown.length, plainRowsMax))
  const lit = useMemo(() => new Set(favourites), [favourites])
  const rowOf = (listing: Listing) => <QuoteRow listing={listing} starred={lit.has(listing.symbol)} kit={kit} />

  if (layout === 'cards') {
    return (
      // biome-ignore lint/a11y/noRedundantRoles: a list without bullets loses its role in Safari
      <ul {...root} role="list" aria-label={label} className={styles.cards}>
        {shown.map((listing) => (
          <li key={listing.symbol} data-key={listing.symbol} className={styles.cardPlace}>
            <QuoteCard listing={listing} kit={kit} />
          </li>
        ))}
      </ul>
    )
  }
  const waiting = drawn < shown.length && { className: styles.coming, style: { '--rows': shown.length } as CSSProperties }
  const plain = (
    // biome-ignore lint/a11y/noRedundantRoles: a list without bullets loses its role in Safari
    <ul role="list" aria-label={label} {...waiting}>
      {shown.slice(0, drawn).map((listing) => (
        <li key={listing.symbol} data-key={listing.symbol} className={styles.place}>
          {rowOf(listing)}
        </li>
      ))}
    </ul>
  )
  return (
    <div {...root} className={styles.list} data-star={star || undefined}>
      {sortable && <SortBar sort={sort} onSort={setSort} />}
      {shown.length > plainRowsMax ? <WindowedQuotes rows={shown} label={label} rowOf={rowOf} plain={plain} /> : plain}
    </div>
  )
}
