import { useRef } from 'react'
import { type Direction, stepOf } from '#widgets/parts/change.rules.ts'
import styles from '#widgets/parts/Ticking.module.css'

interface TickingProps {
  /** The exact value; the flash follows its way. */
  value: string | undefined
  /** What stands there. */
  text: string
  className?: string
  root?: Record<string, unknown>
}

interface Flash {
  value: string | undefined
  direction: Direction
  atMs: number
  odd: boolean
}

/** A storm of ticks is not made louder by restarting the flash before it has been seen. */
const flashEveryMs = 900

/**
 * A figure that lights up when it moves. The light is an opacity animation of its own layer: no timer, no layout.
 * Two names of the same animation take turns, because a class that is already there starts nothing.
 */
export function Ticking({ value, text, className, root }: TickingProps) {
  const flash = useRef<Flash>({ value, direction: 'flat', atMs: 0, odd: false }).current
  if (flash.value !== value) {
    const step = stepOf(flash.value, value)
    const nowMs = performance.now()
    if (step !== 'flat' && (nowMs - flash.atMs > flashEveryMs || flash.atMs === 0)) {
      flash.direction = step
      flash.atMs = nowMs
      flash.odd = !flash.odd
    }
    flash.value = value
  }
  const light = flash.direction === 'flat' ? styles.still : `${styles[flash.direction]} ${flash.odd ? styles.odd : styles.even}`
  return (
    <span {...root} className={className ? `${styles.tick} ${light} ${className}` : `${styles.tick} ${light}`}>
      {text}
    </span>
  )
}
