/**
 * Exact decimals of expressions. A decimal is a finite JS number or text such as "12", "-0.50": ASCII digits, no leading zero,
 * no exponent, no blank. Everything else ("007", "1e5", " 1", "12abc", null, true) is not a decimal.
 *
 * What arithmetic gives: decimal text without trailing zeros ("0.3"), except that JS numbers whose result is a safe integer give a
 * JS number, so that `index + 1` fits an integer prop. Quotients are carried to 20 decimals and products to 40, rounded half up.
 * What cannot be computed (an operand that is not a decimal, a division by zero, more than 60 digits before the point) is null.
 */

/** `n` × 10^-`scale`. The browser's own integers do the work: no library is fetched for it. */
export interface Decimal {
  readonly n: bigint
  /** 0 or more. */
  readonly scale: number
}
const written = /^-?(0|[1-9]\d{0,59})(\.\d{1,60})?$/
const quotientDecimals = 20
const decimalsMax = 40
const numberMax = 1e60
const wholeDigitsMax = 60

const powers = Array.from({ length: decimalsMax * 2 + 1 }, (_, exponent) => 10n ** BigInt(exponent))
const power = (exponent: number) => powers[exponent] ?? 10n ** BigInt(exponent)
const size = (n: bigint) => (n < 0n ? -n : n)

/** The decimal that a text of digits is. The caller has made sure that it is one; leading zeros are allowed here. */
export function exactly(text: string): Decimal {
  const point = text.indexOf('.')
  return point < 0
    ? { n: BigInt(text), scale: 0 }
    : { n: BigInt(text.slice(0, point) + text.slice(point + 1)), scale: text.length - point - 1 }
}

/** The decimal that a value is, or undefined. */
export function decimalOf(value: unknown): Decimal | undefined {
  if (typeof value === 'string') return value.length <= 122 && written.test(value) ? exactly(value) : undefined
  if (typeof value !== 'number' || !(Math.abs(value) < numberMax)) return undefined
  const [digitsOf = '', exponent] = String(value).split('e')
  const { n, scale } = exactly(digitsOf)
  const places = scale - Number(exponent ?? 0)
  return places < 0 ? { n: n * power(-places), scale: 0 } : { n, scale: places }
}

/** The nearest JS number. */
export const numberOf = (value: Decimal): number => Number(fixed(value))

/** Plain digits with exactly `scale` decimals. */
function fixed({ n, scale }: Decimal): string {
  const text = String(size(n)).padStart(scale + 1, '0')
  const cut = text.length - scale
  return (n < 0n ? '-' : '') + (scale > 0 ? `${text.slice(0, cut)}.${text.slice(cut)}` : text)
}

/** Plain digits, never an exponent, no trailing zeros, no "-0". */
export function digits(value: Decimal): string {
  const text = fixed(value)
  return value.scale > 0 ? text.replace(/\.?0+$/, '') : text
}

/** Plain digits with `places` decimals, rounded half up; what is rounded away keeps its sign: "-0.00". */
export function toFixed(value: Decimal, places: number): string {
  const { n, scale } = rounded(value, places, 'half-up')
  const text = fixed({ n: n * power(places - scale), scale: places })
  return n === 0n && value.n < 0n ? `-${text}` : text
}

const tooLong = ({ n, scale }: Decimal) => size(n) >= power(wholeDigitsMax + scale)

function result(value: Decimal, allNumbers: boolean): string | number | null {
  if (tooLong(value)) return null
  const text = digits(rounded(value, decimalsMax, 'half-up'))
  if (allNumbers) {
    const number = Number(text)
    if (Number.isSafeInteger(number)) return number
  }
  return text
}

/** Both at the same scale. */
function aligned(a: Decimal, b: Decimal): [a: bigint, b: bigint, scale: number] {
  const scale = Math.max(a.scale, b.scale)
  return [a.n * power(scale - a.scale), b.n * power(scale - b.scale), scale]
}
export function order(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const [x, y] = aligned(a, b)
  return x < y ? -1 : x > y ? 1 : 0
}
function sum(a: Decimal, b: Decimal, sign: 1n | -1n): Decimal {
  const [x, y, scale] = aligned(a, b)
  return { n: x + sign * y, scale }
}
export const times = (a: Decimal, b: Decimal): Decimal => ({ n: a.n * b.n, scale: a.scale + b.scale })

const step = {
  '+': (a: Decimal, b: Decimal) => sum(a, b, 1n),
  '-': (a: Decimal, b: Decimal) => sum(a, b, -1n),
  '*': times,
  '/': (a: Decimal, b: Decimal) =>
    b.n === 0n
      ? undefined
      : { n: quotient(a.n * power(quotientDecimals + b.scale), b.n * power(a.scale), 'half-up'), scale: quotientDecimals },
  '%': (a: Decimal, b: Decimal) => {
    const [x, y, scale] = aligned(a, b)
    return y === 0n ? undefined : { n: x % y, scale }
  },
  min: (a: Decimal, b: Decimal) => (order(b, a) < 0 ? b : a),
  max: (a: Decimal, b: Decimal) => (order(b, a) > 0 ? b : a),
} as const
export type Arithmetic = keyof typeof step

/** Folds the operands from left to right; a single operand of `-` is negated. */
export function arithmetic(op: Arithmetic, operands: readonly unknown[]): string | number | null {
  return whole(op, operands) ?? exact(op, operands)
}

/** The same for what JS numbers do exactly: whole ones whose every step is a safe integer. */
function whole(op: Arithmetic, operands: readonly unknown[]): number | undefined {
  if (op === '/' || op === '%' || operands.length < 2) return undefined
  let total = operands[0]
  if (!Number.isSafeInteger(total)) return undefined
  for (let i = 1; i < operands.length; i += 1) {
    const next = operands[i] as number
    if (!Number.isSafeInteger(next)) return undefined
    const now = total as number
    total =
      op === '+' ? now + next : op === '-' ? now - next : op === '*' ? now * next : op === 'min' ? Math.min(now, next) : Math.max(now, next)
    if (!Number.isSafeInteger(total)) return undefined
  }
  return (total as number) + 0
}

function exact(op: Arithmetic, operands: readonly unknown[]): string | number | null {
  let total: Decimal | undefined
  let allNumbers = true
  for (const operand of operands) {
    const next = decimalOf(operand)
    if (!next) return null
    allNumbers &&= typeof operand === 'number'
    total = total ? step[op](total, next) : next
    if (!total || tooLong(total)) return null
  }
  if (!total) return null
  return result(op === '-' && operands.length === 1 ? { ...total, n: -total.n } : total, allNumbers)
}

export const roundingModes = ['half-up', 'half-even', 'down', 'up'] as const
export type Rounding = (typeof roundingModes)[number]

/** `n` divided by `by`, whole. */
function quotient(n: bigint, by: bigint, mode: Rounding): bigint {
  const whole = n / by
  const twice = size(n % by) * 2n
  const half = size(by)
  const away =
    mode === 'up' ? twice > 0n : mode === 'down' ? false : twice > half || (twice === half && (mode === 'half-up' || (whole & 1n) === 1n))
  if (!away) return whole
  return n < 0n === by < 0n ? whole + 1n : whole - 1n
}

function rounded(value: Decimal, places: number, mode: Rounding): Decimal {
  const { n, scale } = value
  return scale <= places ? value : { n: quotient(n, power(scale - places), mode), scale: places }
}

/** `places` decimals are kept, 0 to 20; `down` cuts towards zero, `up` goes away from it. */
export function roundTo(value: unknown, places: unknown = 0, mode: unknown = 'half-up'): string | number | null {
  const from = decimalOf(value)
  const to = decimalOf(places)
  const kept = to && numberOf(to)
  if (!from || kept === undefined || !Number.isInteger(kept) || kept < 0 || kept > 20) return null
  if (!roundingModes.includes(mode as Rounding)) return null
  return result(rounded(from, kept, mode as Rounding), typeof value === 'number')
}

/** The number of a decimal of at most 15 digits: as doubles such decimals keep their order and their difference. Otherwise NaN. */
function quick(value: unknown): number {
  if (typeof value === 'number') return Math.abs(value) < numberMax ? value : Number.NaN
  return typeof value === 'string' && value.length <= 15 && written.test(value) ? Number(value) : Number.NaN
}

/** -1, 0 or 1; undefined when one of them is not a decimal. */
export function compare(a: unknown, b: unknown): -1 | 0 | 1 | undefined {
  const x = quick(a)
  const y = quick(b)
  if (x < y) return -1
  if (x > y) return 1
  if (x === y) return 0
  const left = decimalOf(a)
  const right = left && decimalOf(b)
  return right ? order(left, right) : undefined
}

/** One text for all writings of a decimal: "1.0" and 1 give "1". Undefined for what is not a decimal. */
function canonical(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : textOf(value)
  if (typeof value !== 'string' || value.length > 122 || !written.test(value)) return undefined
  let end = value.length
  if (value.includes('.')) {
    while (value.charCodeAt(end - 1) === 48) end -= 1
    if (value.charCodeAt(end - 1) === 46) end -= 1
  }
  const short = end === value.length ? value : value.slice(0, end)
  return short === '-0' ? '0' : short
}

function textOf(value: number): string | undefined {
  const decimal = decimalOf(value)
  return decimal && digits(decimal)
}

/** Equality of expressions: decimals by amount (1, "1" and "1.0" are the same), everything else strictly. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a === 'number' && typeof b === 'number') return false
  const left = canonical(a)
  return left !== undefined && left === canonical(b)
}
