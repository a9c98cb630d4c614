import Big from 'big.js'
import { floorTo, product, quotient } from '#api-server/wallet/amount.rules.ts'
import { plain } from '#contract/money.ts'

/** A quote holds for so long, and a price may be so old, ms. */
export const quoteLifeMs = 10_000
export const priceAgeMsMax = 10_000

/** Decimals of a rate. */
export const rateDecimals = 18

/** Units of the second coin for one of the first, and what is paid of it after the spread. Undefined when that would be nothing. */
export function ratesOf(fromUsd: string, toUsd: string, spread: string): { rate: string; netRate: string } | undefined {
  const rate = quotient(fromUsd, toUsd, rateDecimals)
  const netRate = floorTo(product(rate, plain(new Big(1).minus(spread))), rateDecimals)
  return new Big(netRate).gt(0) ? { rate, netRate } : undefined
}

/** An old quote is never used, nor one from the future of a clock that was set back, nor one twice. */
export const isQuoteGood = (quote: { created_at: number; expires_at: number; used_at: number | null }, now: number): boolean =>
  quote.used_at === null && now < quote.expires_at && now > quote.created_at - quoteLifeMs
