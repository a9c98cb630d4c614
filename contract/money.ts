import Big from 'big.js'

/** Decimals that an amount may have at most. */
export const maxDecimals = 20

/** Text that is an amount: ASCII digits only, no sign, no exponent, no leading zero. Returns undefined for anything else. */
const amountPattern = /^(0|[1-9]\d{0,19})(\.\d{1,20})?$/

/**
 * The one strict parser of money. Nothing is rounded: more decimals than `scale` is a refusal. Zeros at the end are no decimals: 1.00 is 1.
 * @param text as typed or received; 41 characters at most
 * @param scale decimals that the currency allows
 */
export function parseAmount(text: string, scale = maxDecimals): Big | undefined {
  if (text.length > 41 || !amountPattern.test(text)) return undefined
  const decimals = text.split('.')[1]?.replace(/0+$/, '').length ?? 0
  return decimals > scale ? undefined : new Big(text)
}

/** Plain digits, never an exponent; trailing zeros cut. */
export function plain(amount: Big): string {
  return amount.toFixed()
}

/** A multiple of `tick` nearest to `price`; `tick` is a decimal string such as "0.01". */
export function toTick(price: Big | string | number, tick: string): string {
  const step = new Big(tick)
  const decimals = tick.split('.')[1]?.length ?? 0
  return new Big(price).div(step).round(0, Big.roundHalfUp).times(step).toFixed(decimals)
}
