import { decimal, market } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const priceProps = z.object({
  symbol: market(),
  field: z.enum(['last', 'high24h', 'low24h', 'open24h']).optional().describe('last unless given'),
  tick: decimal({ unit: 'price' }).optional().describe('step of the price: decides the decimals'),
  size: z.enum(['sm', 'md', 'lg', 'xl']).optional(),
  fallback: decimal({ unit: 'price' }).optional().describe('shown until the feed speaks'),
})
export type PriceProps = z.output<typeof priceProps>
