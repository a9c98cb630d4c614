import { decimal, market } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const orderBookProps = z.object({
  symbol: market(),
  tick: decimal({ unit: 'price' }).describe('price step of the instrument; levels can be grouped by 1, 10, 50 or 100 steps'),
  levels: z.int().min(3).max(20).optional().describe('rows per side; 10 by default'),
  own: z
    .array(
      z.object({
        price: decimal({ unit: 'price' }).nullable().describe('null marks nothing'),
        side: z.enum(['buy', 'sell']),
      }),
    )
    .max(100)
    .optional()
    .describe('waiting orders of the customer; the rows in which they lie are marked'),
  layout: z.enum(['stacked', 'sides']).optional().describe('asks above bids (stacked, the default), or bids left of asks (sides)'),
})
export type OrderBookProps = z.output<typeof orderBookProps>
