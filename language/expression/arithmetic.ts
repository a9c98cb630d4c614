import { type Decimal, decimalOf, decimalsMax, digits, numberMax, power, size, written } from '#language/expression/decimal.ts'

/**
 * Arithmetic of expressions, on the exact decimals of decimal.ts.
 *
 * Results are decimal text without trailing zeros ("0.3"). JS numbers whose result is a safe integer give a JS number, so that `index + 1`
 * fits an integer prop. Quotients have 20 decimals and products 40, rounded half up. The result is null where it cannot be computed (an
 * operand that is not a decimal, a division by zero, more than 60 digits before the point).
 */

const quotientDecimals = 20
const wholeDigitsMax = 60

/** Both numbers at the same scale. */
function aligned(a: Decimal, b: Decimal): [a: bigint, b: bigint, scale: number] {
  const scale = Math.max(a.scale, b.scale)
  return [a.n * power(scale - a.scale), b.n * power(scale - b.scale), scale]
}
export function order(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const [x, y] = aligned(a, b)
  return x < y ? -1 : x > y ? 1 : 0
}
const times = (a: Decimal, b: Decimal): Decimal => ({ n: a.n * b.n, scale: a.scale + b.scale })

export const roundingModes = ['half-up', 'half-even', 'down', 'up'] as const
export type Rounding = (typeof roundingModes)[number]

/** Integer division of `n` by `by`. */
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

function sum(a: Decimal, b: Decimal, sign: 1n | -1n): Decimal {
  const [x, y, scale] = aligned(a, b)
  return { n: x + sign * y, scale }
}

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

/** The nearest JS number. */
export const numberOf = (value: Decimal): number => Number(digits(value))

/** Folds the operands from left to right; a single operand of `-` is negated. */
export function arithmetic(op: Arithmetic, operands: readonly unknown[]): string | number | null {
  return whole(op, operands) ?? exact(op, operands)
}

/** The same for integers, as long as every intermediate result is a safe integer. */
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

/** Rounds to `places` decimals, 0 to 20; `down` rounds towards zero, `up` away from zero. */
export function roundTo(value: unknown, places: unknown = 0, mode: unknown = 'half-up'): string | number | null {
  const from = decimalOf(value)
  const to = decimalOf(places)
  const kept = to && numberOf(to)
  if (!from || kept === undefined || !Number.isInteger(kept) || kept < 0 || kept > 20) return null
  if (!roundingModes.includes(mode as Rounding)) return null
  return result(rounded(from, kept, mode as Rounding), typeof value === 'number')
}

/** A decimal of at most 15 digits as a JS number, which keeps order and difference exact; otherwise NaN. */
function quick(value: unknown): number {
  if (typeof value === 'number') return Math.abs(value) < numberMax ? value : Number.NaN
  return typeof value === 'string' && value.length <= 15 && written.test(value) ? Number(value) : Number.NaN
}

/** -1, 0 or 1; undefined when an operand is not a decimal. */
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
