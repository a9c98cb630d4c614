import { useEffect, useRef } from 'react'
import { type Asked, useAsked, useClient } from '#console/io/console.ts'
import type { GuardMetrics } from '#language/publish/publishing.ts'

/** One measurement of a release. */
export interface GuardPoint {
  at: number
  errorRate: number
  latencyMs: number | null
}
const pointsMax = 120
const everyMs = 5_000

/** Metrics that clients report, loaded while the page is open. The measurements since then make the charts. @param watching loads every five seconds */
export function useGuard(watching: boolean): Asked<GuardMetrics[]> & { series: (release: number) => readonly GuardPoint[] } {
  const client = useClient()
  const asked = useAsked('guard', client.guard, ['guard', 'release'])
  const points = useRef(new Map<number, GuardPoint[]>())
  const seen = useRef<GuardMetrics[] | undefined>(undefined)
  const { data, again } = asked
  if (data && data !== seen.current) {
    seen.current = data
    for (const { release, errorRate, latencyMs } of data) {
      const list = points.current.get(release) ?? []
      points.current.set(release, [...list, { at: Date.now(), errorRate, latencyMs }].slice(-pointsMax))
    }
  }
  useEffect(() => {
    if (!watching) return
    const timer = setInterval(() => document.visibilityState === 'visible' && again(), everyMs)
    return () => clearInterval(timer)
  }, [watching, again])
  return { ...asked, series: (release) => points.current.get(release) ?? [] }
}
