import Big from 'big.js'
import { parseAmount, plain } from '#contract/money.ts'

/** No balance of the platform comes near; what is larger is a slip of the finger. */
export const amountMax = '1000000000000000'

/** An amount of a coin as exact text, or undefined: no number, not above zero, more decimals than the coin has, or beyond `amountMax`. */
export function readAmount(text: string, scale: number): string | undefined {
  const amount = parseAmount(text, scale)
  return amount?.gt(0) && amount.lte(amountMax) ? plain(amount) : undefined
}

export const isLess = (a: string, b: string): boolean => new Big(a).lt(b)
export const sum = (amounts: readonly string[]): string => plain(amounts.reduce((all, one) => all.plus(one), new Big(0)))
export const minus = (a: string, b: string): string => plain(new Big(a).minus(b))
export const smallest = (amounts: readonly string[]): string =>
  plain(amounts.map((one) => new Big(one)).reduce((a, b) => (a.lt(b) ? a : b)))
export const product = (a: string, b: string): string => plain(new Big(a).times(b))

/** Cut towards zero. */
export const floorTo = (amount: string, decimals: number): string => plain(new Big(amount).round(decimals, Big.roundDown))
/** Away from zero. */
export const ceilTo = (amount: string, decimals: number): string => plain(new Big(amount).round(decimals, Big.roundUp))

/** Big divides at 20 decimals of its own; enough for what is rounded to 18 at most. */
const divisionDecimals = 40
const Wide = Big()
Wide.DP = divisionDecimals
Wide.RM = Big.roundDown

/** a / b cut at `decimals`. @throws Error when b is 0 */
export const quotient = (a: string, b: string, decimals: number): string => plain(new Wide(a).div(b).round(decimals, Big.roundDown))
/** a / b, the next larger figure of `decimals`. @throws Error when b is 0 */
export const quotientUp = (a: string, b: string, decimals: number): string => plain(new Wide(a).div(b).round(decimals, Big.roundUp))
