import type { Listing } from '#contract/calls/market.calls.ts'
import { useEngineText, useFormat, useQuote, type ViewProps } from '#renderer/widget-api.ts'
import { ChangePill } from '#widgets/parts/values/ChangePill.tsx'
import { directionOf } from '#widgets/parts/values/change.rules.ts'
import { Ticking } from '#widgets/parts/values/Ticking.tsx'
import styles from '#widgets/quote-header/QuoteHeader.module.css'
import type { QuoteHeaderProps } from '#widgets/quote-header/quote-header.props.ts'
import { isDollar } from '#widgets/quote-header/quote-header.rules.ts'

type Root = ViewProps['root']

/** The current price of one instrument, with its 24-hour statistics. */
export function QuoteHeader({ root, props: { listing } }: ViewProps<QuoteHeaderProps>) {
  return listing ? <Header root={root} listing={listing} /> : <Bones root={root} />
}

function Header({ root, listing }: { root: Root; listing: Listing }) {
  const quote = useQuote(listing.symbol) ?? listing.quote24h
  const say = useEngineText()
  const format = useFormat()
  const { tick } = listing
  const facts = [
    ['high', say('widget.chart_high_24h'), format.price(quote.high24h, tick)],
    ['low', say('widget.chart_low_24h'), format.price(quote.low24h, tick)],
    ['open', say('widget.chart_open_24h'), format.price(quote.open24h, tick)],
    ['volume', say('widget.chart_volume_24h', { unit: listing.base }), format.compact(quote.volume24h)],
  ]
  return (
    <div {...root} className={styles.header}>
      <div className={styles.main}>
        <p className={styles.title}>
          {listing.title}
          {listing.source !== 'binance' && <span className={styles.label}>{say('widget.chart_simulated')}</span>}
        </p>
        <p className={styles.last} data-direction={directionOf(quote.change)}>
          <Ticking value={quote.last} text={format.price(quote.last, tick)} />
        </p>
        <p className={styles.under}>
          {isDollar(listing.quote) && <span>≈ {format.fiat(quote.last)}</span>}
          <ChangePill plain ratio={quote.change} percent={format.percent} />
        </p>
      </div>
      <dl className={styles.facts}>
        {facts.map(([id, term, value]) => (
          <div key={id} className={styles.fact}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function Bones({ root }: { root: Root }) {
  const say = useEngineText()
  return (
    <div {...root} className={styles.header} data-waits="" aria-busy="true">
      <div className={styles.main}>
        <p className={styles.title}>{say('widget.chart_loading')}</p>
        <p className={styles.last}>0</p>
        <p className={styles.under}>0</p>
      </div>
    </div>
  )
}
