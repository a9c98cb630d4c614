/**
 * Path of a line through equally spaced points, from the left edge to the right edge, lowest at the bottom. Coordinates have one decimal,
 * which keeps the text short. Fewer than two numbers give ''.
 * @param inset margin above and below for the width of the stroke, in units of the view box
 */
export function sparkPath(points: readonly string[], width: number, height: number, inset = 1): string {
  const values = points.map(Number).filter(Number.isFinite)
  if (values.length < 2) return ''
  let low = values[0]!
  let high = low
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  const span = high - low
  const step = width / (values.length - 1)
  const room = height - 2 * inset
  let path = ''
  for (let i = 0; i < values.length; i++) {
    const y = span === 0 ? height / 2 : inset + room * (1 - (values[i]! - low) / span)
    path += `${i === 0 ? 'M' : 'L'}${round(i * step)} ${round(y)}`
  }
  return path
}

const round = (n: number) => Math.round(n * 10) / 10
