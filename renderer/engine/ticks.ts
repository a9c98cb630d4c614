import type { Clock } from '#renderer/device/clock.ts'

/** How often what reads the time is looked at again: `now()` in a second, and ages in words in a minute. */
const everyMs: Readonly<Record<string, number>> = { clock: 1_000, format: 60_000 }

const isHidden = () => globalThis.document?.visibilityState === 'hidden'

/**
 * Wakes what reads the time, while anything listens: regularly, when the page is shown again, and when the clock was set. A hidden page does
 * not tick.
 */
export function createTicks(clock: Pick<Clock, 'onJump'>, wake: (topic: string) => void) {
  const running = new Map<string, { listeners: number; end: () => void }>()

  function run(topic: string): () => void {
    const look = () => {
      if (!isHidden()) wake(topic)
    }
    const timer = setInterval(look, everyMs[topic])
    const off = clock.onJump(look)
    globalThis.document?.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      off()
      globalThis.document?.removeEventListener('visibilitychange', look)
    }
  }

  /** Runs for as long as one of its listeners is there. @returns ends the listening; for a topic without ticks it has no effect */
  return (topic: string): (() => void) => {
    if (!Object.hasOwn(everyMs, topic)) return () => undefined
    const one = running.get(topic) ?? { listeners: 0, end: run(topic) }
    one.listeners++
    running.set(topic, one)
    return () => {
      if (--one.listeners > 0) return
      one.end()
      running.delete(topic)
    }
  }
}
