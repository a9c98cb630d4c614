import Big from 'big.js'
import { floorTo, less, product, quotient } from '#contract/money.ts'

/** Lifetime of a quote, and maximum age of a price, in ms. */
export const quoteLifeMs = 10_000
export const priceAgeMsMax = 10_000

/** Decimals of a rate. */
const rateDecimals = 18

/** Units of the second currency for one of the first, before and after the spread. Undefined when the result would be 0. */
export function ratesOf(fromUsd: string, toUsd: string, spread: string): { rate: string; netRate: string } | undefined {
  const rate = quotient(fromUsd, toUsd, rateDecimals)
  const netRate = floorTo(product(rate, less('1', spread)), rateDecimals)
  return new Big(netRate).gt(0) ? { rate, netRate } : undefined
}

/** A quote is used once, within its lifetime, and not when it lies in the future because the clock was set back. */
export const isQuoteGood = (quote: { created_at: number; expires_at: number; used_at: number | null }, now: number): boolean =>
  quote.used_at === null && now < quote.expires_at && now > quote.created_at - quoteLifeMs
