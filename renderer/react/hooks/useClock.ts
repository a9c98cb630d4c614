import { useEffect, useState } from 'react'
import { useEngine } from '#renderer/react/context.ts'

/** The time now in milliseconds, read again every `everyMs`. A hidden page does not tick. */
export function useClock(everyMs: number): number {
  const engine = useEngine()
  const [now, setNow] = useState(engine.now)
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setNow(engine.now())
    }, everyMs)
    return () => clearInterval(timer)
  }, [engine, everyMs])
  return now
}
