import Big from 'big.js'
import { plain } from '#contract/money.ts'
import { typedAmount } from '#contract/rules/amount.rules.ts'

/** Far above every balance of the platform; a larger amount is a typing error. */
export const amountMax = '1000000000000000'

/**
 * Parses an amount of a currency as exact text. Undefined for no number, an amount not above zero, more decimals than the currency has, or
 * an amount above `amountMax`.
 */
export function readAmount(text: string, scale: number): string | undefined {
  const amount = typedAmount(text, scale)
  return amount?.gt(0) && amount.lte(amountMax) ? plain(amount) : undefined
}

export const isLess = (a: string, b: string): boolean => new Big(a).lt(b)
export const smallest = (amounts: readonly string[]): string =>
  plain(amounts.map((one) => new Big(one)).reduce((a, b) => (a.lt(b) ? a : b)))
export const product = (a: string, b: string): string => plain(new Big(a).times(b))

/** Rounds towards zero. */
export const floorTo = (amount: string, decimals: number): string => plain(new Big(amount).round(decimals, Big.roundDown))

/** Decimals of Big's own divisions; enough for results that are rounded to 18 at most. */
const divisionDecimals = 40
const Wide = Big()
Wide.DP = divisionDecimals
Wide.RM = Big.roundDown

/** a / b, rounded down to `decimals`. @throws Error when b is 0 */
export const quotient = (a: string, b: string, decimals: number): string => plain(new Wide(a).div(b).round(decimals, Big.roundDown))
/** a / b, rounded up to `decimals`. @throws Error when b is 0 */
export const quotientUp = (a: string, b: string, decimals: number): string => plain(new Wide(a).div(b).round(decimals, Big.roundUp))
