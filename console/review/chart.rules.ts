/**
 * A line through values, drawn into a box of 100 × 40. Absent values leave a gap.
 * @param max what stands at the top; larger values touch it
 */
export function linePath(values: readonly (number | null)[], max: number): string {
  const step = values.length > 1 ? 100 / (values.length - 1) : 0
  let path = ''
  let pen = false
  for (const [index, value] of values.entries()) {
    if (value === null) {
      pen = false
      continue
    }
    const x = values.length > 1 ? index * step : 0
    const y = heightOf(value, max)
    path += `${pen ? 'L' : 'M'}${round(x)} ${round(y)}`
    if (values.length === 1) path += `L100 ${round(y)}`
    pen = true
  }
  return path
}

/** Where a value stands in a box of 40; 2 stay free at both ends, so that a line is not cut. */
export function heightOf(value: number, max: number): number {
  return 38 - 36 * Math.min(Math.max(max > 0 ? value / max : 0, 0), 1)
}
const round = (value: number) => Math.round(value * 100) / 100
