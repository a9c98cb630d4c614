import { folded } from '#contract/text.ts'
import { msOf } from '#contract/times.ts'
import { type Decimal, digits, exactly, power, size, toFixed } from '#language/expression/decimal.ts'

/**
 * How numbers, times and money are written in one language. All amounts come as exact decimal text; only the writing is rounded,
 * never the value. Text that is not a number is given back as it is.
 */
export interface Formats {
  /** Digits grouped by the language. `min` and `max` decimals default to what the text has. */
  amount(text: string, digits?: { min?: number; max?: number }): string
  /** An amount with + or −, because colour alone is no sign of a gain. Zero has neither. */
  signed(text: string, digits?: { min?: number; max?: number }): string
  /** A price with as many decimals as its tick ("0.01"). */
  price(text: string, tick?: string): string
  /** A rate, with as many decimals as its size wants: 2 from 100, 4 from 1, 8 below. */
  rate(text: string): string
  /** A ratio as percent: "0.0123" is 1.23 %. `signed`, or true, puts + before gains. Without `min` and `max` it has two decimals. */
  percent(ratio: string, option?: boolean | { min?: number; max?: number; signed?: boolean }): string
  /** Above 1e6 in M, above 1e3 in K with one decimal, otherwise four decimals. */
  compact(text: string): string
  /** `just now` under 300 s, then minutes, hours, days, then the date, or months and years if `relative`. Ten digits are seconds. */
  ago(time: number, now: number, form?: 'relative'): string
  /** yyyy-mm-dd hh:mm:ss in the device's zone. */
  dateTime(time: number): string
  /** yyyy-mm-dd. */
  date(time: number): string
  /** An amount in USD, written in the chosen fiat; without one in USD. A dash where its rate is not known: dollars would be taken for it. */
  fiat(usd: string, fiat?: { code: string; rate: string | undefined }): string
}

/** Formats with the time and the customer's fiat filled in. */
export interface BoundFormats extends Omit<Formats, 'ago' | 'fiat'> {
  ago(time: number, form?: 'relative'): string
  /** An amount in USD, written in the customer's fiat. */
  fiat(usd: string): string
  /** The words of a text key. */
  t(key: string, args?: Record<string, unknown>): string
}

const read = (text: string): Decimal | undefined => (/^-?\d{1,40}(\.\d{1,40})?$/.test(text) ? exactly(text) : undefined)
const decimalsOf = (text: string) => text.split('.')[1]?.length ?? 0
/** Decimals to write. @param own those that the value has */
const decimalsFor = (own: number, { min = 0, max = own }: { min?: number; max?: number } = {}) => Math.max(min, Math.min(own, max))
const two = (n: number) => String(n).padStart(2, '0')

/** The local time of the device at a moment, as if it were UTC. @param ms milliseconds since 1970 */
export const localMs = (ms: number): number => ms - new Date(ms).getTimezoneOffset() * 60_000
/** The day as every part of the app writes it: 2026-11-29. @param local as of `localMs` */
export function writtenDate(local: number): string {
  const d = new Date(local)
  return `${d.getUTCFullYear()}-${two(d.getUTCMonth() + 1)}-${two(d.getUTCDate())}`
}
/** The time of day as every part of the app writes it: 14:05:09. @param seconds false: 14:05, where seconds say nothing */
export function writtenClock(local: number, seconds = true): string {
  const d = new Date(local)
  return `${two(d.getUTCHours())}:${two(d.getUTCMinutes())}${seconds ? `:${two(d.getUTCSeconds())}` : ''}`
}

/** A minus sign as wide as the plus sign, where the browser writes a hyphen. */
const withMinus = (text: string) => text.replace('-', '−')

/** Whether a written number has no digit but zero, in the digits of any script. */
const isZero = (written: string) => !/[1-9]/.test(folded(written))

/** Written by a format of the browser. A value that is rounded to zero is written as zero, without a sign. */
function withoutNegativeZero(format: Intl.NumberFormat, text: string): string {
  // The type wants a number, which cannot hold every amount; the browser takes the digits.
  const written = format.format(text as unknown as number)
  return isZero(written) ? format.format(0) : written
}

/** How a language writes a number. */
interface Signs {
  minus: string
  point: string
  group: string
  /** Digits before the point from which they are grouped. */
  groupedFrom: number
}

/** Read from what the browser writes; undefined for a language whose digits or groups are others than 1,234,567.8. */
function signsOf(format: Intl.NumberFormat): Signs | undefined {
  const parts = format.formatToParts(-12345.67)
  const signOf = (type: Intl.NumberFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? ''
  const [minus, group, point] = [signOf('minusSign'), signOf('group'), signOf('decimal')]
  const written = format.format(-12345.67)
  if (!written.startsWith(`${minus}1${group}234${group}567${point}00`)) return undefined
  return { minus: withMinus(minus), group, point, groupedFrom: format.format(12.34).includes(group) ? 4 : 5 }
}

/** @param tag BCP 47; @param justNow the words for less than five minutes */
export function createFormats(tag: string, justNow: () => string): Formats {
  const numbers = new Map<string, Intl.NumberFormat>()
  const numberFormat = (key: string, options: Intl.NumberFormatOptions) => {
    let format = numbers.get(key)
    if (!format) numbers.set(key, (format = new Intl.NumberFormat(tag, options)))
    return format
  }
  const percentFormat = (decimals: number, signed: boolean) =>
    numberFormat(`p${signed ? '+' : ''}${decimals}`, {
      style: 'percent',
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      signDisplay: signed ? 'exceptZero' : 'auto',
    })
  // Making a format costs 10 ms on a phone and every tick size would need its own, so they share the signs of one.
  let signs: { value: Signs | undefined } | undefined
  const fixed = (value: Decimal, decimals: number, isGrouped = true) => {
    const text = toFixed(value, decimals)
    signs ??= { value: signsOf(percentFormat(2, true)) }
    const { value: known } = signs
    if (!known)
      return withMinus(
        numberFormat(`d${decimals}${isGrouped}`, {
          minimumFractionDigits: decimals,
          maximumFractionDigits: decimals,
          useGrouping: isGrouped,
        }).format(text as unknown as number),
      )
    const [front = '', back] = text.split('.')
    const plain = front.startsWith('-') ? front.slice(1) : front
    const grouped = !isGrouped || plain.length < known.groupedFrom ? plain : plain.replace(/\B(?=(?:\d{3})+$)/g, known.group)
    return (plain === front ? '' : known.minus) + grouped + (back === undefined ? '' : known.point + back)
  }
  // Slow to make (30 ms on a phone), and most screens say no ages.
  let relative: Intl.RelativeTimeFormat | undefined
  const past = (amount: number, unit: Intl.RelativeTimeFormatUnit) => {
    relative ??= new Intl.RelativeTimeFormat(tag, { numeric: 'always' })
    return relative.format(-Math.floor(amount), unit)
  }

  const formats: Formats = {
    amount(text, digits) {
      const value = read(text)
      if (!value) return text
      return fixed(value, decimalsFor(decimalsOf(text), digits))
    },
    signed(text, digits) {
      const value = read(text)
      const written = formats.amount(text, digits)
      return (value && value.n > 0n && !isZero(written) ? '+' : '') + written
    },
    price(text, tick) {
      const value = read(text)
      return value ? fixed(value, decimalsOf(tick || text)) : text
    },
    rate(text) {
      const value = read(text)
      if (!value) return text
      const least = [100n, 1n].findIndex((bound) => size(value.n) >= bound * power(value.scale))
      return formats.amount(toFixed(value, [2, 4][least] ?? 8).replace(/\.?0+$/, ''))
    },
    percent(ratio, option = false) {
      const value = read(ratio)
      if (!value) return ratio
      const bounds: Exclude<typeof option, boolean> = typeof option === 'object' ? option : { signed: option }
      const { signed = false, min, max } = bounds
      const isBound = min !== undefined || max !== undefined
      const decimals = isBound ? decimalsFor(Math.max(0, decimalsOf(ratio) - 2), bounds) : 2
      return withMinus(withoutNegativeZero(percentFormat(decimals, signed), digits(value)))
    },
    compact(text) {
      const value = read(text)
      if (!value) return text
      const [whole, one] = [size(value.n), power(value.scale)]
      // From here on thousands with one decimal would be written 1000.0.
      if (whole >= 999_950n * one) return fixed({ ...value, scale: value.scale + 6 }, 1, false) + 'M'
      if (whole > 1_000n * one) return fixed({ ...value, scale: value.scale + 3 }, 1, false) + 'K'
      return fixed(value, 4, false)
    },
    ago(time, now, form) {
      const ms = msOf(time)
      const seconds = Math.max(0, (now - ms) / 1_000)
      if (seconds < 300) return justNow()
      if (seconds < 3_600) return past(seconds / 60, 'minute')
      if (seconds < 86_400) return past(seconds / 3_600, 'hour')
      if (seconds < 2_592_000) return past(seconds / 86_400, 'day')
      if (form !== 'relative') return formats.date(ms)
      return seconds < 31_536_000 ? past(seconds / 2_592_000, 'month') : past(seconds / 31_536_000, 'year')
    },
    dateTime(time) {
      const local = localMs(msOf(time))
      return `${writtenDate(local)} ${writtenClock(local)}`
    },
    date(time) {
      return writtenDate(localMs(msOf(time)))
    },
    fiat(usd, fiat) {
      const value = read(usd)
      const rate = fiat?.rate === undefined ? undefined : read(fiat.rate)
      if (!value) return usd
      if (fiat && !rate) return '–'
      const code = fiat?.code ?? 'USD'
      const worth = rate ? { n: value.n * rate.n, scale: value.scale + rate.scale } : value
      const decimals = worth.n && size(worth.n) < power(worth.scale) ? 6 : undefined
      const format = numberFormat(`f${code}${decimals ?? ''}`, {
        style: 'currency',
        currency: code,
        currencyDisplay: 'narrowSymbol',
        ...(decimals !== undefined && { maximumFractionDigits: decimals }),
      })
      return withMinus(withoutNegativeZero(format, digits(worth)))
    },
  }
  return formats
}
