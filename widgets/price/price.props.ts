import { decimal, market } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const priceProps = z.object({
  symbol: market(),
  field: z.enum(['last', 'high24h', 'low24h', 'open24h']).optional().describe('last by default'),
  tick: decimal({ unit: 'price' }).optional().describe('price step, which sets the number of decimals'),
  size: z.enum(['sm', 'md', 'lg', 'xl']).optional(),
  align: z.enum(['start', 'end']).optional().describe('start by default; end beside a label'),
  fallback: decimal({ unit: 'price' }).optional().describe('shown until the feed has a price'),
})
export type PriceProps = z.output<typeof priceProps>
