import Big from 'big.js'
import { parseAmount, plain } from '#contract/money.ts'
import { onStep } from '#widgets/parts/fields/number.rules.ts'

/** Track of a field as documents describe it. All decimals are text. */
export interface Track {
  min?: string | undefined
  max?: string | undefined
  /** End of the track without `max`; with both, the smaller one. */
  most?: string | undefined
  /** 1 by default. */
  step?: string | undefined
  /** The track starts at 0, and percentages refer to `max` or `most`. */
  percent?: boolean | undefined
}

/** A usable track. `low` and `high` are whole numbers of steps from `base`; `top` is the value of 100 %. */
export interface Scale {
  low: Big
  high: Big
  top: Big
  step: Big
  /** Steps count from here, the least value of the field, as in HTML. */
  base: Big
  /** Number of thumb positions above 0. Every step has one, unless there are too many for a finger. */
  places: number
  /** Every step has a position. */
  whole: boolean
}

export interface Stop {
  /** As written in the document: a value, or percent. */
  mark: string
  value: string
  /** Position on the track, 0 to 1. */
  at: number
}

const none = new Big(0)
const placesMax = 1_000
const percents = ['0', '25', '50', '75', '100']

type Steps = Pick<Scale, 'step' | 'base'>
const down = (value: Big, { step, base }: Steps) => onStep(value, step, base)
const up = (value: Big, steps: Steps) => {
  const below = down(value, steps)
  return below.eq(value) ? value : below.plus(steps.step)
}
const between = ({ low, high }: Scale, value: Big) => (value.lt(low) ? low : value.gt(high) ? high : value)

/** End of the track; undefined when a given bound is not an amount. */
function lesser(max: string | undefined, most: string | undefined): Big | undefined {
  const first = parseAmount(max ?? most ?? '')
  const second = parseAmount(most ?? max ?? '')
  return first && second && (first.lt(second) ? first : second)
}

/** Scale of a track; undefined when nothing can be chosen: an end is missing or not an amount, or there is no step between the ends. */
export function scaleOf({ min = '0', max, most, step = '1', percent = false }: Track): Scale | undefined {
  const size = parseAmount(step)
  const least = parseAmount(percent ? '0' : min)
  const top = lesser(max, most)
  if (!size || size.eq(0) || !least || !top) return undefined
  const grid = { step: size, base: parseAmount(min) ?? least }
  const low = up(least, grid)
  const high = down(top, grid)
  if (high.lte(low)) return undefined
  const steps = high.minus(low).div(size)
  const whole = steps.lte(placesMax)
  return { low, high, top, ...grid, places: whole ? steps.toNumber() : placesMax, whole }
}

/** Value of a thumb position, as a multiple of the step. The last position is the greatest value. */
export function valueAt(scale: Scale, place: number): string {
  const { low, high, top, step, places, whole } = scale
  if (place <= 0) return plain(low)
  if (place >= places) return plain(high)
  const value = whole ? low.plus(step.times(place)) : down(low.plus(top.minus(low).times(place).div(places)), scale)
  return plain(between(scale, value))
}

/** Thumb position of an entry; text that is not an amount is at the start, like a value below the track. */
export function placeOf(scale: Scale, text: string): number {
  const value = parseAmount(text)
  if (!value) return 0
  const { low, high, places } = scale
  return between(scale, value).minus(low).div(high.minus(low)).times(places).round(0, Big.roundHalfUp).toNumber()
}

/** Whole percent of `top`. Less than the greatest value never gives 100. */
export function percentOf(scale: Scale, text: string): number {
  const value = parseAmount(text)
  if (!value) return 0
  if (value.gte(scale.high)) return 100
  return Math.min(99, value.div(scale.top).times(100).round(0, Big.roundHalfUp).toNumber())
}

/** Pressable stops below the track, without invalid marks and marks outside the track. Percent marks stay while the whole is unknown. */
export function stopsOf(scale: Scale | undefined, percent: boolean, marks?: readonly (string | null)[]): Stop[] {
  const all = marks ?? (percent ? percents : scale ? [plain(scale.low), plain(scale.high)] : [])
  return all.flatMap((mark) => {
    const value = mark && parseAmount(mark)
    if (!value) return []
    if (percent) {
      if (value.gt(100)) return []
      return [{ mark, value: scale ? plain(down(scale.top.times(value).div(100), scale)) : '', at: value.div(100).toNumber() }]
    }
    if (!scale || value.lt(scale.low) || value.gt(scale.high) || !down(value, scale).eq(value)) return []
    return [{ mark, value: plain(value), at: value.minus(scale.low).div(scale.high.minus(scale.low)).toNumber() }]
  })
}

/** Whether an entry has this value in any notation. */
export function isAt(text: string, value: string): boolean {
  return value !== '' && (parseAmount(text)?.eq(value) ?? false)
}

/**
 * Entry after a key; undefined when nothing changes. Arrow keys move by a step, or by one hundredth of the track when steps are finer; Page
 * keys move to the next stop.
 */
export function keyed(scale: Scale, stops: readonly Stop[], text: string, key: string): string | undefined {
  const { low, high, top, step, whole } = scale
  const from = parseAmount(text) ?? low
  const part = whole ? step : up(top.minus(low).div(100), { step, base: none })
  const values = stops.map(({ value }) => new Big(value))
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return changed(text, between(scale, down(from.plus(part), scale)))
    case 'ArrowLeft':
    case 'ArrowDown':
      return changed(text, between(scale, from.lt(part) ? low : up(from.minus(part), scale)))
    case 'PageUp':
      return changed(text, between(scale, values.find((value) => value.gt(from)) ?? high))
    case 'PageDown':
      return changed(text, between(scale, values.findLast((value) => value.lt(from)) ?? low))
    case 'Home':
      return changed(text, low)
    case 'End':
      return changed(text, high)
    default:
      return undefined
  }
}

const changed = (text: string, value: Big) => (isAt(text, plain(value)) ? undefined : plain(value))
