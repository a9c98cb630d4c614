import { useState } from 'react'
import { useEngineText, useFormat, useQuote, type ViewProps } from '#renderer/widget-api.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { PushButton } from '#widgets/parts/PushButton.tsx'
import { ChangePill } from '#widgets/parts/values/ChangePill.tsx'
import { directionOf } from '#widgets/parts/values/change.rules.ts'
import { gainOf, liveAmounts } from '#widgets/parts/values/live.rules.ts'
import { Ticking } from '#widgets/parts/values/Ticking.tsx'
import styles from '#widgets/position-card/PositionCard.module.css'
import type { Position, PositionCardProps } from '#widgets/position-card/position-card.props.ts'

type Event = 'close' | 'exits' | 'margin' | 'reverse' | 'move' | 'cancel' | 'closings' | 'share' | 'symbol'
type Root = ViewProps['root']

const dash = '–'
/** A result reads the same in the row, in the question, and in the history. */
const twoDecimals = { min: 2, max: 2 }

/** One contract position or order; what an open one is worth follows the last price. */
export function PositionCard({ root, props, emit, listens, busy, enabled }: ViewProps<PositionCardProps, Event>) {
  const { position, tick, compact = false } = props
  const say = useEngineText()
  const [isOpen, setOpen] = useState(!compact)
  const actions = (['close', 'move', 'exits', 'margin', 'reverse', 'cancel', 'closings', 'share'] as const).filter(
    // An order at the market has no price that could be changed.
    (event) => (listens?.(event) ?? true) && (event !== 'move' || (position.list === 'entrust' && position.type === 'limit')),
  )
  const onSymbol = listens?.('symbol') ? () => emit('symbol') : undefined
  if (!isOpen || compact) {
    return (
      <article {...root} className={styles.card} data-compact="" aria-label={nameOf(position, say)}>
        <Summary position={position} tick={tick} isOpen={isOpen} onPress={() => setOpen(!isOpen)} onSymbol={onSymbol} />
        {isOpen && (
          <>
            {position.list === 'position' ? <Open position={position} tick={tick} bare /> : <Ended position={position} tick={tick} />}
            <Actions actions={actions} busy={busy} enabled={enabled} emit={emit} />
          </>
        )}
      </article>
    )
  }
  return (
    <Card root={root} position={position} onSymbol={onSymbol}>
      {position.list === 'position' ? <Open position={position} tick={tick} /> : <Ended position={position} tick={tick} />}
      <Actions actions={actions} busy={busy} enabled={enabled} emit={emit} />
    </Card>
  )
}

const nameOf = ({ name, side, multiple }: Position, say: ReturnType<typeof useEngineText>) =>
  `${name}, ${say(`widget.position_${side}`)} ×${multiple}`

type ActionsProps = Pick<ViewProps<PositionCardProps, Event>, 'busy' | 'enabled' | 'emit'> & { actions: readonly Event[] }

function Actions({ actions, busy, enabled, emit }: ActionsProps) {
  const say = useEngineText()
  if (actions.length === 0) return null
  return (
    <div className={styles.actions}>
      {actions.map((event) => (
        <PushButton
          key={event}
          label={say(`widget.position_${event}`)}
          tone={event === 'close' || event === 'cancel' ? 'secondary' : 'quiet'}
          size="sm"
          busy={busy}
          enabled={enabled}
          root={{ 'data-part': event }}
          onPress={() => emit(event)}
        />
      ))}
    </div>
  )
}

interface SummaryProps extends Pick<PositionCardProps, 'position' | 'tick'> {
  isOpen: boolean
  onPress: () => void
  onSymbol: (() => void) | undefined
}

/** Two lines of the essentials. All of the row opens and closes the rest; the name of the market is a button of its own. */
function Summary({ position, tick, isOpen, onPress, onSymbol }: SummaryProps) {
  const say = useEngineText()
  const format = useFormat()
  const quote = useQuote(position.symbol)
  const { lots, list, type, open_price, price, liquidation_price, currency_code } = position
  const live = list === 'position' && quote ? liveAmounts(position, quote.last, tick) : undefined
  const at = (text: string | null) => (text === null ? dash : format.price(text, tick))
  const facts =
    list === 'position'
      ? ([
          ['lots', format.amount(lots)],
          ['open_price', at(open_price)],
          ['mark', at(quote?.last ?? null)],
          ['liquidation', at(liquidation_price)],
        ] as const)
      : ([
          ['lots', format.amount(lots)],
          ['order_price', type === 'market' ? say('widget.position_market') : at(price)],
          ['mark', at(quote?.last ?? null)],
        ] as const)
  return (
    <div className={styles.summary}>
      <button
        type="button"
        className={styles.cover}
        data-part="more"
        aria-expanded={isOpen}
        aria-label={`${nameOf(position, say)}, ${say('widget.position_details')}`}
        onClick={onPress}
      />
      <Title position={position} onSymbol={onSymbol} />
      {list === 'position' ? (
        <p className={styles.worth} data-direction={directionOf(live?.result)}>
          <small className={styles.reason}>{say('widget.profit_result')}</small>
          <Ticking value={live?.result} text={live ? `${format.signed(live.result, twoDecimals)} ${currency_code}` : dash} />
          <ChangePill plain ratio={live?.gain} percent={format.percent} />
        </p>
      ) : (
        <p className={styles.worth}>{`${format.amount(position.held, { min: 2 })} ${currency_code}`}</p>
      )}
      <dl className={styles.brief}>
        {facts.map(([id, value]) => (
          <div key={id} data-brief={id}>
            <dt>{say(`widget.position_${id}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <span className={styles.mark} data-open={isOpen || undefined}>
        <Icon name="chevron-down" size={18} />
      </span>
    </div>
  )
}

function Title({ position, onSymbol }: { position: Position; onSymbol: (() => void) | undefined }) {
  const say = useEngineText()
  const { side, multiple, name } = position
  return (
    <p className={styles.head}>
      <span className={styles.side} data-side={side}>
        {say(`widget.position_${side}`)} ×{multiple}
      </span>
      {onSymbol ? (
        <button type="button" className={styles.name} onClick={onSymbol}>
          {name}
        </button>
      ) : (
        <span className={styles.name}>{name}</span>
      )}
    </p>
  )
}

function Card({
  root,
  position,
  onSymbol,
  children,
}: {
  root: Root
  position: Position
  onSymbol?: (() => void) | undefined
  children: React.ReactNode
}) {
  const say = useEngineText()
  return (
    <article {...root} className={styles.card} aria-label={nameOf(position, say)}>
      <Title position={position} onSymbol={onSymbol} />
      {children}
    </article>
  )
}

function Facts({ facts }: { facts: readonly (readonly [id: string, value: React.ReactNode, tone?: 'warn' | undefined])[] }) {
  const say = useEngineText()
  return (
    <dl className={styles.facts}>
      {facts.map(([id, value, tone]) => (
        <div key={id} data-fact={id}>
          <dt>{say(`widget.position_${id}`)}</dt>
          <dd data-tone={tone}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** At a ratio below this an open position is marked as close to its liquidation. */
const nearRatio = 2

/** @param bare the summary above has its worth */
function Open({ position, tick, bare = false }: PositionCardProps & { bare?: boolean }) {
  const say = useEngineText()
  const format = useFormat()
  const quote = useQuote(position.symbol)
  const price = (text: string | null) => (text === null ? dash : format.price(text, tick))
  const live = quote && liveAmounts(position, quote.last, tick)
  const isNear = live !== undefined && Number(live.ratio) < nearRatio
  return (
    <>
      {!bare && (
        <p className={styles.profit} data-direction={directionOf(live?.result)}>
          <Ticking value={live?.result} text={live ? `${format.signed(live.result, twoDecimals)} ${position.currency_code}` : dash} />
          <ChangePill plain ratio={live?.gain} percent={format.percent} />
          <span className={styles.reason}>{say('widget.profit_result')}</span>
        </p>
      )}
      {position.closes_at_opening && <p className={styles.reason}>{say('widget.position_closes_at_opening')}</p>}
      <Facts
        facts={[
          ['unrealised', live ? format.signed(live.profit, twoDecimals) : dash],
          ['lots', format.amount(position.lots)],
          ['margin', format.amount(position.margin, { min: 2 })],
          ['ratio', live ? format.percent(live.ratio) : dash, isNear ? 'warn' : undefined],
          ['open_price', price(position.open_price)],
          ['mark', price(quote?.last ?? null)],
          ['liquidation', price(position.liquidation_price), isNear ? 'warn' : undefined],
          ['target', price(position.target_profit_price)],
          ['stop', price(position.stop_loss_price)],
          ['fee', format.amount(position.fee, { min: 2 })],
          ['overnight', format.amount(position.overnight, { min: 2 })],
          ['opened', position.opened === null ? dash : format.dateTime(position.opened)],
        ]}
      />
    </>
  )
}

function Ended({ position, tick }: PositionCardProps) {
  const say = useEngineText()
  const format = useFormat()
  const price = (text: string | null) => (text === null ? dash : format.price(text, tick))
  const { list, held, type, close_reason, cancel_reason } = position
  const amount = (text: string) => format.amount(text, { min: 2 })
  const exits = [
    ['target', price(position.target_profit_price)],
    ['stop', price(position.stop_loss_price)],
  ] as const
  if (list === 'history') {
    return (
      <>
        <p className={styles.profit} data-direction={directionOf(position.result)}>
          <span>{`${format.signed(position.result, twoDecimals)} ${position.currency_code}`}</span>
          {position.open_price && (
            <ChangePill plain ratio={gainOf(position, position.open_price, position.result)} percent={format.percent} />
          )}
          <span className={styles.reason}>{say('widget.profit_result')}</span>
          {close_reason && <span className={styles.reason}>{say(`widget.position_closed_${close_reason}`)}</span>}
        </p>
        <Facts
          facts={[
            ['lots', format.amount(position.lots)],
            ['open_price', price(position.open_price)],
            ['exit_price', price(position.exit_price)],
            ...exits,
            ['fee', amount(position.fee)],
            ['overnight', amount(position.overnight)],
            ['opened', position.opened === null ? dash : format.dateTime(position.opened)],
            ['ended', position.ended === null ? dash : format.dateTime(position.ended)],
          ]}
        />
      </>
    )
  }
  return (
    <>
      {cancel_reason && <p className={styles.reason}>{say(`widget.position_cancelled_${cancel_reason}`)}</p>}
      <Facts
        facts={[
          ['order_price', type === 'market' ? say('widget.position_market') : price(position.price)],
          ['lots', format.amount(position.lots)],
          ['held', amount(held)],
          ...exits,
          ['created', format.dateTime(position.created)],
        ]}
      />
    </>
  )
}
