import type { ShareChartProps } from '#widgets/share-chart/share-chart.props.ts'

export type Share = ShareChartProps['items'][number]

export interface Slice extends Share {
  /** Where it begins on the ring and how long it is, in percent of the ring; for drawing alone. */
  from: number
  length: number
}

const sizeOf = (share: string): number => {
  const size = Number(share)
  return Number.isFinite(size) && size > 0 ? size : 0
}

/**
 * Shares as pieces of a ring, the largest first, those of nothing left out. What is beyond the first `most` is one piece: its parts are
 * given back as `rest`, for whoever names it.
 */
export function slicesOf(shares: readonly Share[], most: number): { slices: Slice[]; rest: { length: number; count: number } | undefined } {
  const there = shares.filter(({ share }) => sizeOf(share) > 0).sort((a, b) => sizeOf(b.share) - sizeOf(a.share))
  const whole = there.reduce((sum, { share }) => sum + sizeOf(share), 0)
  const shown = there.length > most ? there.slice(0, most - 1) : there
  let from = 0
  const slices = shown.map((one) => {
    const length = (sizeOf(one.share) / whole) * 100
    const slice = { ...one, from, length }
    from += length
    return slice
  })
  const count = there.length - shown.length
  return { slices, rest: count > 0 ? { length: 100 - from, count } : undefined }
}
