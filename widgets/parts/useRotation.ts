import { type FocusEvent, useEffect, useEffectEvent, useState } from 'react'
import { useReducedMotion } from '#widgets/parts/useReducedMotion.ts'

/**
 * Automatic rotation. It pauses while the pointer or focus is on the element, when the person stops it, and with reduced motion. Spread
 * `hold` on the element that pauses it.
 */
export function useRotation(everyMs: number, step: () => void) {
  const [stopped, setStopped] = useState(false)
  const [held, setHeld] = useState(false)
  const reduced = useReducedMotion()
  const moves = everyMs > 0 && !stopped && !reduced
  const onStep = useEffectEvent(step)
  useEffect(() => {
    if (!moves || held) return
    const timer = setInterval(() => document.visibilityState === 'visible' && onStep(), everyMs)
    return () => clearInterval(timer)
  }, [moves, held, everyMs])
  return {
    moves,
    stop: () => setStopped(true),
    start: () => setStopped(false),
    hold: {
      onPointerEnter: () => setHeld(true),
      onPointerLeave: () => setHeld(false),
      onFocus: () => setHeld(true),
      onBlur: (event: FocusEvent) => setHeld(event.currentTarget.contains(event.relatedTarget)),
    },
  }
}
