import { decimal, market } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const tradeTapeProps = z.object({
  symbol: market(),
  tick: decimal(),
  rows: z.int().min(1).max(50).optional().describe('20 by default'),
})
export type TradeTapeProps = z.output<typeof tradeTapeProps>
