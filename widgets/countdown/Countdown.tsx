import { useEffect, useEffectEvent, useRef } from 'react'
import { useClock, useEngineText, type ViewProps } from '#renderer/widget-api.ts'
import styles from '#widgets/countdown/Countdown.module.css'
import type { CountdownProps } from '#widgets/countdown/countdown.props.ts'
import { timeLeft } from '#widgets/parts/values/left.rules.ts'

export function Countdown({ root, props, emit }: ViewProps<CountdownProps, 'done'>) {
  const { to, label } = props
  const say = useEngineText()
  const { days, clock, over } = timeLeft(to, useClock(1_000))
  const announced = useRef<number>(undefined)
  const done = useEffectEvent(() => {
    if (announced.current === to) return
    announced.current = to
    emit('done')
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another moment may be over as well
  useEffect(() => {
    if (over) done()
  }, [over, to])
  return (
    <div {...root} className={styles.countdown}>
      <span className={styles.label}>{label}</span>
      <time className={styles.clock} role="timer" aria-live="off" aria-label={label}>
        {days > 0 && `${say('widget.days', { n: days })} `}
        {clock}
      </time>
    </div>
  )
}
