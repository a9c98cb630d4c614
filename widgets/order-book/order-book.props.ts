import { decimal, market } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const orderBookProps = z.object({
  symbol: market(),
  tick: decimal({ unit: 'price' }).describe('price step of the instrument; the book adds up by 1, 10, 50 or 100 of it'),
  levels: z.int().min(3).max(20).optional().describe('rows of each side, 10 unless given'),
  layout: z.enum(['stacked', 'sides']).optional().describe('asks above bids, or bids left of asks; stacked unless given'),
})
export type OrderBookProps = z.output<typeof orderBookProps>
