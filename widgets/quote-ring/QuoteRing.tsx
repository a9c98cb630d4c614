import { type CSSProperties, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useClock, type ViewProps } from '#renderer/widget-api.ts'
import { classes } from '#widgets/parts/look/classes.ts'
import styles from '#widgets/quote-ring/QuoteRing.module.css'
import type { QuoteRingProps } from '#widgets/quote-ring/quote-ring.props.ts'
import { asksBy, secondsLeft } from '#widgets/quote-ring/ring.rules.ts'

const tickMs = 250

/** Remaining lifetime of an offer. It counts from the arrival of the offer, so that a wrong clock of the device does not matter. */
export function QuoteRing({ root, props, emit }: ViewProps<QuoteRingProps, 'done'>) {
  const { label, text, of, ms } = props
  const now = useClock(tickMs)
  const [came, setCame] = useState({ of, at: now })
  if (came.of !== of) setCame({ of, at: now })
  const asked = useRef({ of, times: 0 })
  const times = asksBy(came.at, now, ms)
  const done = useEffectEvent(() => {
    if (asked.current.of !== of) asked.current = { of, times: 0 }
    if (came.of !== of || times <= asked.current.times) return
    asked.current.times = times
    emit('done')
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again when an offer comes or its time passes
  useEffect(() => done(), [times, of])
  const seconds = secondsLeft(came.at, now, ms)
  return (
    <div {...root} className={styles.quote}>
      <span className={styles.words}>
        <span className={styles.label}>{label}</span>
        {text && <span className={classes('num', styles.text)}>{text}</span>}
      </span>
      <span className={styles.dial} role="timer" aria-live="off" aria-label={label} style={{ '--life': `${ms}ms` } as CSSProperties}>
        <svg key={of} className={styles.ring} viewBox="0 0 40 40" aria-hidden="true">
          <circle className={styles.rail} cx="20" cy="20" r="17" pathLength={100} />
          <circle className={styles.arc} cx="20" cy="20" r="17" pathLength={100} />
        </svg>
        <span className={classes('num', styles.seconds)}>{seconds}</span>
      </span>
    </div>
  )
}
