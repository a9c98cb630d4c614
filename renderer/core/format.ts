import Big from 'big.js'

/**
 * How numbers, times and money are written in one language. All amounts come as exact decimal text; only the writing is rounded,
 * never the value. Text that is not a number is given back as it is.
 */
export interface Formats {
  /** Digits grouped by the language. `min` and `max` decimals default to what the text has. */
  amount(text: string, digits?: { min?: number; max?: number }): string
  /** A price with as many decimals as its tick ("0.01"). */
  price(text: string, tick?: string): string
  /** A ratio as percent: "0.0123" is 1.23 %. `signed` puts + before gains. */
  percent(ratio: string, signed?: boolean): string
  /** Above 1e6 in M, above 1e3 in K with one decimal, otherwise four decimals. */
  compact(text: string): string
  /** `just now` under 300 s, then minutes, hours, days, then the date. Ten digits are seconds. */
  ago(time: number, now: number): string
  /** yyyy-mm-dd hh:mm:ss in the device's zone. */
  dateTime(time: number): string
  /** yyyy-mm-dd. */
  date(time: number): string
  /** An amount in USD, written in the chosen fiat; undefined rate: the USD amount. */
  fiat(usd: string, fiat?: { code: string; rate: string }): string
}

/** Formats with the time and the customer's fiat filled in. */
export interface BoundFormats extends Omit<Formats, 'ago' | 'fiat'> {
  ago(time: number): string
  /** An amount in USD, written in the customer's fiat. */
  fiat(usd: string): string
}

const big = (text: string): Big | undefined => (/^-?\d{1,40}(\.\d{1,40})?$/.test(text) ? new Big(text) : undefined)
const decimalsOf = (text: string) => text.split('.')[1]?.length ?? 0
const two = (n: number) => String(n).padStart(2, '0')

/** Milliseconds of a time that may be given in seconds. */
export const toMs = (time: number): number => (Math.abs(time) < 1e11 ? time * 1_000 : time)

/** @param tag BCP 47; @param justNow the words for less than five minutes */
export function createFormats(tag: string, justNow: () => string): Formats {
  const numbers = new Map<string, Intl.NumberFormat>()
  const numberFormat = (key: string, options: Intl.NumberFormatOptions) => {
    let format = numbers.get(key)
    if (!format) numbers.set(key, (format = new Intl.NumberFormat(tag, options)))
    return format
  }
  const fixed = (value: Big, decimals: number) =>
    numberFormat(`d${decimals}`, { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(
      value.toFixed(decimals) as unknown as number,
    )
  // Slow to make (30 ms on a phone), and most screens say no ages.
  let relative: Intl.RelativeTimeFormat | undefined
  const past = (amount: number, unit: Intl.RelativeTimeFormatUnit) => {
    relative ??= new Intl.RelativeTimeFormat(tag, { numeric: 'always' })
    return relative.format(-Math.floor(amount), unit)
  }

  const formats: Formats = {
    amount(text, digits) {
      const value = big(text)
      if (!value) return text
      const own = decimalsOf(text)
      return fixed(value, Math.max(digits?.min ?? 0, Math.min(own, digits?.max ?? own)))
    },
    price(text, tick) {
      const value = big(text)
      return value ? fixed(value, tick === undefined ? decimalsOf(text) : decimalsOf(tick)) : text
    },
    percent(ratio, signed = false) {
      const value = big(ratio)
      if (!value) return ratio
      const options: Intl.NumberFormatOptions = { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 }
      return numberFormat(signed ? 'p+' : 'p', signed ? { ...options, signDisplay: 'exceptZero' } : options).format(
        value.toFixed() as unknown as number,
      )
    },
    compact(text) {
      const value = big(text)
      if (!value) return text
      const size = value.abs()
      if (size.gt(1e6)) return `${fixed(value.div(1e6), 1)}M`
      if (size.gt(1e3)) return `${fixed(value.div(1e3), 1)}K`
      return fixed(value, 4)
    },
    ago(time, now) {
      const ms = toMs(time)
      const seconds = Math.max(0, (now - ms) / 1_000)
      if (seconds < 300) return justNow()
      if (seconds < 3_600) return past(seconds / 60, 'minute')
      if (seconds < 86_400) return past(seconds / 3_600, 'hour')
      if (seconds < 2_592_000) return past(seconds / 86_400, 'day')
      return formats.date(ms)
    },
    dateTime(time) {
      const d = new Date(toMs(time))
      return `${formats.date(time)} ${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`
    },
    date(time) {
      const d = new Date(toMs(time))
      return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`
    },
    fiat(usd, fiat) {
      const value = big(usd)
      const rate = fiat && big(fiat.rate)
      if (!value) return usd
      const code = rate ? fiat.code : 'USD'
      const worth = rate ? value.times(rate) : value
      const decimals = worth.abs().lt(1) && !worth.eq(0) ? 6 : undefined
      return numberFormat(`f${code}${decimals ?? ''}`, {
        style: 'currency',
        currency: code,
        currencyDisplay: 'narrowSymbol',
        ...(decimals !== undefined && { maximumFractionDigits: decimals }),
      }).format(worth.toFixed() as unknown as number)
    },
  }
  return formats
}
