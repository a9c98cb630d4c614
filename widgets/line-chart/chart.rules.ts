import Big from 'big.js'
import { msOf } from '#contract/times.ts'
import type { LineChartProps } from '#widgets/line-chart/line-chart.props.ts'

export type Series = LineChartProps['series'][number]

/** A value on the axis: exact text, and its position from the bottom (0) to the top (1). */
export interface Tick {
  text: string
  place: number
}

/** Data of the drawing. Numbers are for drawing only; displayed values are the texts of the points. */
export interface Picture {
  from: number
  to: number
  low: number
  high: number
  ticks: readonly Tick[]
  /** Distance of the ticks. */
  step: string
  /** Times with a value, in order: the positions of the cursor. */
  moments: readonly number[]
  /** For each series: its values by time. */
  values: readonly ReadonlyMap<number, string>[]
  /** For each series: its segments without gaps. */
  runs: readonly (readonly Spot[])[][]
}
interface Spot {
  at: number
  value: number
}

const ticksWanted = 4
const decimalText = /^-?\d{1,40}(\.\d{1,40})?$/

/** Data of the drawing for some series; undefined when none has a value. A point without a time is left out. */
export function pictureOf(series: readonly Series[]): Picture | undefined {
  const values: Map<number, string>[] = []
  const runs: Spot[][][] = []
  const moments = new Set<number>()
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { points } of series) {
    const own = new Map<number, string>()
    const stretches: Spot[][] = []
    let open: Spot[] | undefined
    for (const point of points.filter(({ at }) => Number.isFinite(at)).sort((a, b) => msOf(a.at) - msOf(b.at))) {
      if (point.value === null || !decimalText.test(point.value)) {
        open = undefined
        continue
      }
      const spot = { at: msOf(point.at), value: Number(point.value) }
      if (!open) stretches.push((open = []))
      open.push(spot)
      own.set(spot.at, point.value)
      moments.add(spot.at)
      low = Math.min(low, spot.value)
      high = Math.max(high, spot.value)
    }
    values.push(own)
    runs.push(stretches)
  }
  if (moments.size === 0) return undefined
  const inOrder = [...moments].sort((a, b) => a - b)
  const axis = axisOf(low, high)
  return { from: inOrder[0]!, to: inOrder.at(-1)!, ...axis, moments: inOrder, values, runs }
}

/** A round distance that gives about four ticks: 1, 2 or 5 times a power of ten. */
function roundStep(span: number): Big {
  const raw = span / ticksWanted
  const power = Math.floor(Math.log10(raw))
  const ten = new Big(10).pow(power)
  const lead = raw / 10 ** power
  return ten.times(lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10)
}

/** Round values around all points, lowest first. A single value is in the middle. */
function axisOf(low: number, high: number): Pick<Picture, 'low' | 'high' | 'ticks' | 'step'> {
  const span = high - low || Math.abs(high) / 10 || 1
  const [bottom, top] = high === low ? [low - span / 2, high + span / 2] : [low, high]
  const step = roundStep(span)
  const first = new Big(bottom).div(step).round(0, Big.roundDown)
  const start = first.times(step).gt(bottom) ? first.minus(1) : first
  const texts: string[] = []
  const decimals = Math.max(0, -step.e)
  let value = start.times(step)
  while (value.lt(top)) {
    texts.push(value.toFixed(decimals))
    value = value.plus(step)
  }
  texts.push(value.toFixed(decimals))
  const [least, most] = [Number(texts[0]), Number(texts.at(-1))]
  return {
    low: least,
    high: most,
    step: step.toFixed(),
    ticks: texts.map((text) => ({ text: text.replace(/^-(0(\.0*)?)$/, '$1'), place: (Number(text) - least) / (most - least) })),
  }
}

/** Position of a time from left (0) to right (1). */
export function placeOf({ from, to }: Pick<Picture, 'from' | 'to'>, at: number): number {
  return to === from ? 0.5 : (at - from) / (to - from)
}

/** Height of a value, 0 to 1. */
export function heightOf({ low, high }: Pick<Picture, 'low' | 'high'>, value: string | number): number {
  return (Number(value) - low) / (high - low)
}

const round = (n: number) => Math.round(n * 10) / 10

/** Path of one series in a box of the given size, interrupted at gaps. `closed` closes it along the bottom. */
export function pathOf(picture: Picture, index: number, width: number, height: number, closed = false): string {
  const x = (at: number) => round(placeOf(picture, at) * width)
  const y = (value: number) => round((1 - heightOf(picture, value)) * height)
  let path = ''
  for (const run of picture.runs[index] ?? []) {
    const [first, last] = [run[0]!, run.at(-1)!]
    if (run.length < 2) continue
    path += `M${x(first.at)} ${y(first.value)}`
    for (let i = 1; i < run.length; i++) path += `L${x(run[i]!.at)} ${y(run[i]!.value)}`
    if (closed) path += `L${x(last.at)} ${height}L${x(first.at)} ${height}Z`
  }
  return path
}

/** Single points between gaps, which a line would not show: strokes of length zero with round ends. */
export function dotsOf(picture: Picture, index: number, width: number, height: number): string {
  const alone = (picture.runs[index] ?? []).flatMap((run) => (run.length === 1 ? run : []))
  return alone
    .map(({ at, value }) => `M${round(placeOf(picture, at) * width)} ${round((1 - heightOf(picture, value)) * height)}h0`)
    .join('')
}

/** Index of the time nearest to a position from left (0) to right (1). */
export function momentAt({ moments, from, to }: Picture, place: number): number {
  const wanted = from + place * (to - from)
  let [left, right] = [0, moments.length - 1]
  while (right - left > 1) {
    const middle = (left + right) >> 1
    if (moments[middle]! <= wanted) left = middle
    else right = middle
  }
  return wanted - moments[left]! <= moments[right]! - wanted ? left : right
}

/** Index after a key; 'none' removes the cursor, undefined is any other key. Page keys move by one tenth. */
export function nextMoment(key: string, from: number, last: number): number | 'none' | undefined {
  const page = Math.max(1, Math.round(last / 10))
  const to = {
    ArrowLeft: from - 1,
    ArrowDown: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from + 1,
    PageDown: from - page,
    PageUp: from + page,
  }
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (key === 'Escape') return 'none'
  return Object.hasOwn(to, key) ? Math.min(last, Math.max(0, to[key as keyof typeof to])) : undefined
}

/** The lowest and the highest value of a series, as text. */
export function extremesOf(values: ReadonlyMap<number, string>): { low: string; high: string } | undefined {
  let [low, high]: (string | undefined)[] = []
  for (const value of values.values()) {
    if (low === undefined || Number(value) < Number(low)) low = value
    if (high === undefined || Number(value) > Number(high)) high = value
  }
  return low === undefined || high === undefined ? undefined : { low, high }
}
