import Big from 'big.js'
import { parseAmount, plain } from '#contract/money.ts'

/** What a field says of its track. All decimals are text. */
export interface Track {
  min?: string | undefined
  max?: string | undefined
  /** Ends the track where no max binds; with both, the smaller one does. */
  most?: string | undefined
  /** 1 unless given. */
  step?: string | undefined
  /** The track begins at 0, and shares of it are shares of the whole `max` or `most`. */
  percent?: boolean | undefined
}

/** A track that can be used. `low` and `high` are multiples of `step`; `top` is what 100 % is. */
export interface Scale {
  low: Big
  high: Big
  top: Big
  step: Big
  /** Places of the thumb: 0 to this. Every step has one, unless there are more than a finger can tell apart. */
  places: number
  /** Every step has a place. */
  whole: boolean
}

export interface Stop {
  /** As the document wrote it: a value, or percent. */
  mark: string
  value: string
  /** Where it stands on the track, 0 to 1. */
  at: number
}

const placesMax = 1_000
const percents = ['0', '25', '50', '75', '100']

const down = (value: Big, step: Big) => value.minus(value.mod(step))
const up = (value: Big, step: Big) => {
  const below = down(value, step)
  return below.eq(value) ? value : below.plus(step)
}
const between = ({ low, high }: Scale, value: Big) => (value.lt(low) ? low : value.gt(high) ? high : value)

/** Where the track ends; undefined where one that is given is no amount. */
function lesser(max: string | undefined, most: string | undefined): Big | undefined {
  const first = parseAmount(max ?? most ?? '')
  const second = parseAmount(most ?? max ?? '')
  return first && second && (first.lt(second) ? first : second)
}

/** The scale of a track; undefined where nothing can be chosen: an end is missing or no amount, or there is no step between the ends. */
export function scaleOf({ min = '0', max, most, step = '1', percent = false }: Track): Scale | undefined {
  const size = parseAmount(step)
  const least = parseAmount(percent ? '0' : min)
  const top = lesser(max, most)
  if (!size || size.eq(0) || !least || !top) return undefined
  const low = up(least, size)
  const high = down(top, size)
  if (high.lte(low)) return undefined
  const steps = high.minus(low).div(size)
  const whole = steps.lte(placesMax)
  return { low, high, top, step: size, places: whole ? steps.toNumber() : placesMax, whole }
}

/** The multiple of the step that a place of the thumb stands for. The last place is the greatest one. */
export function valueAt(scale: Scale, place: number): string {
  const { low, high, top, step, places, whole } = scale
  if (place <= 0) return plain(low)
  if (place >= places) return plain(high)
  const value = whole ? low.plus(step.times(place)) : down(low.plus(top.minus(low).times(place).div(places)), step)
  return plain(between(scale, value))
}

/** Where the thumb stands for an entry; text that is no amount stands at the start, as a value below the track does. */
export function placeOf(scale: Scale, text: string): number {
  const value = parseAmount(text)
  if (!value) return 0
  const { low, high, places } = scale
  return between(scale, value).minus(low).div(high.minus(low)).times(places).round(0, Big.roundHalfUp).toNumber()
}

/** Whole percent of the top. What is less than all that can be chosen never reads 100. */
export function percentOf(scale: Scale, text: string): number {
  const value = parseAmount(text)
  if (!value) return 0
  if (value.gte(scale.high)) return 100
  return Math.min(99, value.div(scale.top).times(100).round(0, Big.roundHalfUp).toNumber())
}

/**
 * What stands below the track to be pressed. Marks that are no amount or stand outside of it are left out. Percent keep their places while
 * the whole is not known.
 */
export function stopsOf(scale: Scale | undefined, percent: boolean, marks?: readonly string[]): Stop[] {
  const all = marks ?? (percent ? percents : scale ? [plain(scale.low), plain(scale.high)] : [])
  return all.flatMap((mark) => {
    const value = parseAmount(mark)
    if (!value) return []
    if (percent) {
      if (value.gt(100)) return []
      return [{ mark, value: scale ? plain(down(scale.top.times(value).div(100), scale.step)) : '', at: value.div(100).toNumber() }]
    }
    if (!scale || value.lt(scale.low) || value.gt(scale.high) || !value.mod(scale.step).eq(0)) return []
    return [{ mark, value: plain(value), at: value.minus(scale.low).div(scale.high.minus(scale.low)).toNumber() }]
  })
}

/** Whether an entry is this value, however it is written. */
export function isAt(text: string, value: string): boolean {
  return value !== '' && (parseAmount(text)?.eq(value) ?? false)
}

/**
 * What a key makes of an entry; undefined where it changes nothing. Arrows go by a step, or by one of a hundred parts where steps are
 * finer than a finger; Page keys go to the next stop.
 */
export function keyed(scale: Scale, stops: readonly Stop[], text: string, key: string): string | undefined {
  const { low, high, top, step, whole } = scale
  const from = parseAmount(text) ?? low
  const part = whole ? step : up(top.minus(low).div(100), step)
  const values = stops.map(({ value }) => new Big(value))
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return changed(text, between(scale, down(from.plus(part), step)))
    case 'ArrowLeft':
    case 'ArrowDown':
      return changed(text, between(scale, from.lt(part) ? low : up(from.minus(part), step)))
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
