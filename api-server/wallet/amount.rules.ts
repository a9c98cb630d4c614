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
