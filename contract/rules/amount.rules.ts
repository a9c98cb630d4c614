import type Big from 'big.js'
import { parseAmount } from '#contract/money.ts'
import { patterns } from '#contract/patterns.ts'

/**
 * An amount, a price or a quantity as somebody types it: the pattern of the specification, which forms judge by too. `parseAmount` also reads
 * figures of other sources, which may have more decimals.
 * @param scale decimals of the currency; more of them give undefined
 */
export const typedAmount = (text: string, scale?: number): Big | undefined =>
  patterns.amount.test(text) ? parseAmount(text, scale) : undefined
