import { defaultHorzScaleBehavior, type IHorzScaleBehavior, type Mutable, type Time, type TimeScalePoint } from 'lightweight-charts'
import type { TimeTexts } from '#widgets/candle-chart/times/times.ts'

/**
 * The library's scale of time, divided by the clock of the reader where its own knows UTC only.
 * @param times asked for each time, because they change with language and period
 */
export function createTimeScale(times: () => Pick<TimeTexts, 'weight'>): IHorzScaleBehavior<Time> {
  const scale = new (defaultHorzScaleBehavior())()
  const timeOf = (point: TimeScalePoint | undefined) => Number(point?.originalTime)
  scale.fillWeightsForPoints = (points: readonly Mutable<TimeScalePoint>[], from: number) => {
    for (let i = from; i < points.length; i++) {
      const at = timeOf(points[i])
      // The first point is taken for one of a series that began as far before it as the next one comes after it.
      const before = i > 0 ? timeOf(points[i - 1]) : at - ((timeOf(points[1]) || at) - at)
      points[i]!.timeWeight = times().weight(at, before) as TimeScalePoint['timeWeight']
    }
  }
  return scale
}
