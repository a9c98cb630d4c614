import { useRef } from 'react'
import { type Direction, stepOf } from '#widgets/parts/values/change.rules.ts'
import styles from '#widgets/parts/values/Ticking.module.css'

interface TickingProps {
  /** The exact value; the flash follows its way. */
  value: string | undefined
  /** The text that is shown. */
  text: string
  className?: string
  root?: Record<string, unknown>
}

interface Flash {
  value: string | undefined
  direction: Direction
  odd: boolean
}

const flashMs = 700
/** Each flash is a compositor layer. Their number is limited, so that many ticks do not cost a slow phone its frames. */
const burningMax = 2
const burning: number[] = []

/** Whether one more flash may start now. */
function mayFlash(nowMs: number): boolean {
  while (burning.length > 0 && nowMs - burning[0]! > flashMs) burning.shift()
  if (burning.length >= burningMax) return false
  burning.push(nowMs)
  return true
}

/**
 * A figure that flashes when it changes. The flash animates the opacity of its own layer, without timers and layout. Two names of the same
 * animation alternate, because setting a class again would not restart it.
 */
export function Ticking({ value, text, className, root }: TickingProps) {
  const flash = useRef<Flash>({ value, direction: 'flat', odd: false }).current
  if (flash.value !== value) {
    const step = stepOf(flash.value, value)
    if (step !== 'flat' && mayFlash(performance.now())) {
      flash.direction = step
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
