import Big from 'big.js'

/**
 * Exact decimals of expressions. A decimal is a finite JS number or text such as "12", "-0.50": ASCII digits, no leading zero,
 * no exponent, no blank. Everything else ("007", "1e5", " 1", "12abc", null, true) is not a decimal.
 *
 * What arithmetic gives: decimal text without trailing zeros ("0.3"), except that JS numbers whose result is a safe integer give a
 * JS number, so that `index + 1` fits an integer prop. Quotients are carried to 20 decimals and products to 40, rounded half up.
 * What cannot be computed (an operand that is not a decimal, a division by zero, more than 60 digits before the point) is null.
 */
const Exact = Big()
Exact.DP = 20
Exact.RM = Exact.roundHalfUp

export type Decimal = Big
const written = /^-?(0|[1-9]\d{0,59})(\.\d{1,60})?$/
const decimalsMax = 40
const numberMax = 1e60

/** The decimal that a value is, or undefined. */
export function decimalOf(value: unknown): Decimal | undefined {
  if (typeof value === 'string') return value.length <= 122 && written.test(value) ? new Exact(value) : undefined
  if (typeof value === 'number') return Math.abs(value) < numberMax ? new Exact(value) : undefined
  return undefined
}

/** Plain digits, never an exponent, no trailing zeros, no "-0". */
export function digits(value: Decimal): string {
  return value.eq(0) ? '0' : value.toFixed()
}

function result(value: Decimal, allNumbers: boolean): string | number | null {
  if (value.e >= 60) return null
  const text = digits(value.c.length - value.e - 1 > decimalsMax ? value.round(decimalsMax) : value)
  if (allNumbers) {
    const number = Number(text)
    if (Number.isSafeInteger(number)) return number
  }
  return text
}

const step = {
  '+': (a: Decimal, b: Decimal) => a.plus(b),
  '-': (a: Decimal, b: Decimal) => a.minus(b),
  '*': (a: Decimal, b: Decimal) => a.times(b),
  '/': (a: Decimal, b: Decimal) => (b.eq(0) ? undefined : a.div(b)),
  '%': (a: Decimal, b: Decimal) => (b.eq(0) ? undefined : a.mod(b)),
  min: (a: Decimal, b: Decimal) => (b.lt(a) ? b : a),
  max: (a: Decimal, b: Decimal) => (b.gt(a) ? b : a),
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
    if (!total || total.e >= 60) return null
  }
  if (!total) return null
  return result(op === '-' && operands.length === 1 ? total.times(-1) : total, allNumbers)
}

const roundings = { 'half-up': Exact.roundHalfUp, 'half-even': Exact.roundHalfEven, down: Exact.roundDown, up: Exact.roundUp } as const
export type Rounding = keyof typeof roundings
export const roundingModes = Object.keys(roundings) as Rounding[]

/** `places` decimals are kept, 0 to 20; `down` cuts towards zero, `up` goes away from it. */
export function roundTo(value: unknown, places: unknown = 0, mode: unknown = 'half-up'): string | number | null {
  const from = decimalOf(value)
  const kept = decimalOf(places)?.toNumber()
  if (!from || kept === undefined || !Number.isInteger(kept) || kept < 0 || kept > 20) return null
  if (typeof mode !== 'string' || !Object.hasOwn(roundings, mode)) return null
  return result(from.round(kept, roundings[mode as Rounding]), typeof value === 'number')
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
  return right ? left.cmp(right) : undefined
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
