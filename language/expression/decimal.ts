/**
 * Exact decimals of expressions. A decimal is a finite JS number or text such as "12", "-0.50": ASCII digits, no leading zero,
 * no exponent, no space. Everything else ("007", "1e5", " 1", "12abc", null, true) is not a decimal.
 * arithmetic.ts computes with them.
 */

/** `n` × 10^-`scale`, as BigInt. No library is needed. */
export interface Decimal {
  readonly n: bigint
  /** 0 or more. */
  readonly scale: number
}
const trailing = /\.?0+$/
export const written = /^-?(0|[1-9]\d{0,59})(\.\d{1,60})?$/
export const decimalsMax = 40
export const numberMax = 1e60

const powers = Array.from({ length: decimalsMax * 2 + 1 }, (_, exponent) => 10n ** BigInt(exponent))
export const power = (exponent: number) => powers[exponent] ?? 10n ** BigInt(exponent)
export const size = (n: bigint) => (n < 0n ? -n : n)

/** Converts a text of digits. The caller has validated it; leading zeros are allowed. */
export function exactly(text: string): Decimal {
  const point = text.indexOf('.')
  return point < 0
    ? { n: BigInt(text), scale: 0 }
    : { n: BigInt(text.slice(0, point) + text.slice(point + 1)), scale: text.length - point - 1 }
}

/** Converts a value to a decimal; undefined when it is none. */
export function decimalOf(value: unknown): Decimal | undefined {
  if (typeof value === 'string') return value.length <= 122 && written.test(value) ? exactly(value) : undefined
  if (typeof value !== 'number' || !(Math.abs(value) < numberMax)) return undefined
  const [digitsOf = '', exponent = 0] = String(value).split('e')
  const { n, scale } = exactly(digitsOf)
  const places = scale - Number(exponent)
  return places < 0 ? { n: n * power(-places), scale: 0 } : { n, scale: places }
}

/** Digits with exactly `scale` decimals. */
function fixed({ n, scale }: Decimal): string {
  const text = String(size(n)).padStart(scale + 1, '0')
  const cut = text.length - scale
  return (n < 0n ? '-' : '') + (scale > 0 ? `${text.slice(0, cut)}.${text.slice(cut)}` : text)
}

/** Digits without exponent, trailing zeros and "-0". */
export function digits(value: Decimal): string {
  const text = fixed(value)
  return value.scale > 0 ? text.replace(trailing, '') : text
}

/** Digits with `places` decimals, rounded half up, away from zero; what rounds to zero has no sign. */
export function toFixed({ n, scale }: Decimal, places: number): string {
  const by = power(Math.max(0, scale - places))
  const whole = (size(n) * 2n + by) / (by * 2n)
  return (n < 0n && whole > 0n ? '-' : '') + fixed({ n: whole * power(Math.max(0, places - scale)), scale: places })
}

/** Normal form of a decimal: "1.0" and 1 give "1". Undefined for a value that is not a decimal. */
function canonical(value: unknown): string | undefined {
  if (Number.isSafeInteger(value)) return String(value)
  if (typeof value === 'number') {
    const decimal = decimalOf(value)
    return decimal && digits(decimal)
  }
  if (typeof value !== 'string' || value.length > 122 || !written.test(value)) return undefined
  const short = value.includes('.') ? value.replace(trailing, '') : value
  return short === '-0' ? '0' : short
}

/** Equality in expressions: decimals by value (1, "1" and "1.0" are equal), everything else strictly. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a === 'number' && typeof b === 'number') return false
  const left = canonical(a)
  return left !== undefined && left === canonical(b)
}

/** Whether a number, as documents write it, keeps all digits of its text in a double. */
export function isExact(found: string): boolean {
  const value = Number(found)
  const [kept, text] = [decimalOf(value), decimalOf(found)]
  return Number.isFinite(value) && (text === undefined || (kept !== undefined && same(value, found)))
}
