import { share, text, usd } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const shareChartProps = z.object({
  label: text(),
  items: z
    .array(z.object({ id: z.string(), label: z.string(), share: share(), usd: usd().optional() }))
    .max(100)
    .describe('share: part of the whole, "0.25" is a quarter; usd: its worth'),
  coins: z.boolean().optional().describe('labels are codes of coins, which have colours of their own'),
  hidden: z.boolean().optional().describe('amounts are covered; shares stay'),
})
export type ShareChartProps = z.output<typeof shareChartProps>
