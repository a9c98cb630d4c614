import type { Listing } from '#contract/calls/market.calls.ts'
import { useClock, useEngineText, useFormat, useQuote, type ViewProps } from '#renderer/widget-api.ts'
import { ChangePill } from '#widgets/parts/values/ChangePill.tsx'
import { directionOf } from '#widgets/parts/values/change.rules.ts'
import { timeLeft } from '#widgets/parts/values/left.rules.ts'
import { Ticking } from '#widgets/parts/values/Ticking.tsx'
import styles from '#widgets/quote-header/QuoteHeader.module.css'
import type { QuoteHeaderProps } from '#widgets/quote-header/quote-header.props.ts'
import { isDollar } from '#widgets/quote-header/quote-header.rules.ts'

type Props = ViewProps<QuoteHeaderProps, never, 'end'>

/** The current price of one instrument, with its 24-hour statistics. */
export function QuoteHeader(view: Props) {
  const { listing } = view.props
  return listing ? <Header {...view} listing={listing} /> : <Bones {...view} />
}

function Header({ root, listing, props, slots }: Props & { listing: Listing }) {
  const quote = useQuote(listing.symbol) ?? listing.quote24h
  const say = useEngineText()
  const format = useFormat()
  const { tick } = listing
  const facts = [
    ['high', say('widget.chart_high_24h'), format.price(quote.high24h, tick)],
    ['low', say('widget.chart_low_24h'), format.price(quote.low24h, tick)],
    ['open', say('widget.chart_open_24h'), format.price(quote.open24h, tick)],
    ['volume', say('widget.chart_volume_24h', { unit: listing.base }), format.compact(quote.volume24h)],
  ] as const
  return (
    <div {...root} className={styles.header} data-compact={props.compact || undefined}>
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
          <div key={id} className={styles.fact} data-fact={id}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {props.facts?.map(({ id, label, value, daily }) => (
          <div key={id} className={styles.fact} data-fact={id}>
            <dt>{label}</dt>
            <dd>
              {value}
              {daily && <UntilMidnight />}
            </dd>
          </div>
        ))}
      </dl>
      {slots.end.count > 0 && <div className={styles.end}>{slots.end.all()}</div>}
    </div>
  )
}

const dayMs = 86_400_000

/** The time until the next 00:00 UTC. */
function UntilMidnight() {
  const now = useClock(1_000)
  return <time> {timeLeft((Math.floor(now / dayMs) + 1) * dayMs, now).clock}</time>
}

/** As high as the header will be, so that nothing moves when the price arrives. */
function Bones({ root, props, slots }: Props) {
  const say = useEngineText()
  return (
    <div {...root} className={styles.header} data-compact={props.compact || undefined} data-waits="" aria-busy="true">
      <div className={styles.main}>
        <p className={styles.title}>{say('widget.chart_loading')}</p>
        <p className={styles.last}>0</p>
        <p className={styles.under}>0</p>
      </div>
      <dl className={styles.facts}>
        {['high', 'low', 'open', 'volume', ...(props.facts ?? []).map(({ id }) => id)].map((id) => (
          <div key={id} className={styles.fact}>
            <dt>&nbsp;</dt>
            <dd>&nbsp;</dd>
          </div>
        ))}
      </dl>
      {slots.end.count > 0 && <div className={styles.end}>{slots.end.all()}</div>}
    </div>
  )
}
