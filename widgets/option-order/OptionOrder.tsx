import type { CSSProperties } from 'react'
import { useClock, useEngineText, useFormat, useQuote, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/option-order/OptionOrder.module.css'
import type { OptionOrderProps, Order } from '#widgets/option-order/option-order.props.ts'
import { expectedAt, secondsLeft, shareLeft } from '#widgets/option-order/order.rules.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import { Icon } from '#widgets/parts/look/Icon.tsx'
import { durationWords } from '#widgets/parts/values/durationWords.ts'
import { signedParts } from '#widgets/parts/values/money.rules.ts'
import { Ticking } from '#widgets/parts/values/Ticking.tsx'

const tickMs = 250

/** One seconds option: while it runs, the time that is left and what it would come to at the price of now; afterwards what it came to. */
export function OptionOrder({ root, props: { order }, emit, listens }: ViewProps<OptionOrderProps, 'press'>) {
  const face = order.status === 'holding' ? <Running order={order} /> : <Face order={order} />
  if (listens && !listens('press')) {
    return (
      <div {...root} className={styles.order} data-status={order.status}>
        {face}
      </div>
    )
  }
  return (
    <button {...root} type="button" className={classes('pressable', styles.order)} data-status={order.status} onClick={() => emit('press')}>
      {face}
    </button>
  )
}

function Running({ order }: { order: Order }) {
  const quote = useQuote(order.symbol)
  const time = useClock(tickMs)
  const left = secondsLeft(order.expires, time, order.seconds)
  return <Face order={order} live={quote?.last} left={left} share={shareLeft(order.expires, time, order.seconds)} />
}

interface FaceProps {
  order: Order
  live?: string | undefined
  left?: number
  share?: number
}

function Face({ order, live, left = 0, share = 0 }: FaceProps) {
  const say = useEngineText()
  const format = useFormat()
  const { status, type, tick, currency_code: unit } = order
  const isRunning = status === 'holding' || status === 'settling'
  const state = status === 'holding' && left === 0 ? 'settling' : status
  const price = isRunning ? live : (order.settle_price ?? undefined)
  const expected = isRunning ? (live === undefined ? undefined : expectedAt(order, live).profit) : order.profit
  const { sign, size } = signedParts(expected ?? '0')
  const words = say(`widget.option_${state}`)
  return (
    <>
      <span className={styles.dial} data-type={type} style={{ '--left': share } as CSSProperties} aria-hidden="true">
        <svg className={styles.ring} viewBox="0 0 48 48" aria-hidden="true">
          <circle className={styles.rail} cx="24" cy="24" r="21" pathLength={100} />
          {state === 'holding' && <circle className={styles.arc} cx="24" cy="24" r="21" pathLength={100} />}
        </svg>
        <Icon name={type === 'up' ? 'arrow-up' : 'arrow-down'} size={14} className={styles.arrow} />
        {state === 'holding' && <span className={classes('num', styles.seconds)}>{left}</span>}
      </span>
      <span className={styles.words}>
        <span className={styles.title}>
          {order.name} <span data-type={type}>{say(`widget.option_${type}`)}</span>
        </span>
        <span className={classes('num', styles.note)}>
          {format.amount(order.number)} {unit} · {durationWords(order.seconds, say)}
        </span>
        <span className={styles.state} data-state={state}>
          {words}
          {state === 'holding' && (
            <span className="visually-hidden" role="timer" aria-live="off">
              {' '}
              {say('widget.option_left', { n: left })}
            </span>
          )}
        </span>
      </span>
      <span className={classes('num', styles.figures)}>
        <span className={styles.profit} data-sign={expected === undefined ? undefined : sign}>
          <span className="visually-hidden">{say(isRunning ? 'widget.option_expected' : 'widget.option_profit')} </span>
          {expected === undefined ? '–' : `${sign}${format.amount(size, { min: Math.min(order.scale, 2) })} ${unit}`}
        </span>
        <span className={styles.price}>
          <span className={styles.term}>{say('widget.option_open')}</span> {format.price(order.open_price, tick)}
        </span>
        <span className={styles.price}>
          <span className={styles.term}>{say(isRunning ? 'widget.option_now' : 'widget.option_settle')}</span>{' '}
          <Ticking value={price} text={price === undefined ? '–' : format.price(price, tick)} />
        </span>
      </span>
    </>
  )
}
