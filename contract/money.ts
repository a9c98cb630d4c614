import Big from 'big.js'

/** Maximum number of decimals of an amount. */
export const maxDecimals = 20

/** Text of an amount: ASCII digits only, no sign, no exponent, no leading zero. */
const amountPattern = /^(0|[1-9]\d{0,19})(\.\d{1,20})?$/

/**
 * The only parser of money. It does not round: more decimals than `scale` give undefined. Trailing zeros do not count: 1.00 is 1.
 * @param text as typed or received; 41 characters at most
 * @param scale decimals of the currency
 * @returns undefined for text that is not a valid amount
 */
export function parseAmount(text: string, scale = maxDecimals): Big | undefined {
  if (text.length > 41 || !amountPattern.test(text)) return undefined
  const decimals = text.split('.')[1]?.replace(/0+$/, '').length ?? 0
  return decimals > scale ? undefined : new Big(text)
}

/** Formats an amount as digits, without exponent and trailing zeros. */
export function plain(amount: Big): string {
  return amount.toFixed()
}

/** An amount as exact text: 1.50 is 1.5. @param amount decimal text, with a minus where it may be below 0 */
export const exact = (amount: string): string => plain(new Big(amount))
/** All amounts together, as exact text. */
export const sum = (...amounts: readonly string[]): string => plain(amounts.reduce((all, one) => all.plus(one), new Big(0)))
/** An amount less another one, as exact text. */
export const less = (amount: string, by: string): string => plain(new Big(amount).minus(by))
export const isLess = (a: string, b: string): boolean => new Big(a).lt(b)
/** The least of some amounts, of which there is at least one. */
export const smallest = (amounts: readonly string[]): string =>
  plain(amounts.map((one) => new Big(one)).reduce((a, b) => (a.lt(b) ? a : b)))
/** Both multiplied, exactly. */
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
