import { share, text, usd } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const shareChartProps = z.object({
  label: text(),
  items: z
    .array(z.object({ id: z.string(), label: z.string(), share: share(), usd: usd().optional() }))
    .max(100)
    .describe('share: ratio, "0.25" is a quarter; usd: value in USD'),
  coins: z.boolean().optional().describe('labels are currency codes, which have their own colours'),
  hidden: z.boolean().optional().describe('hides the amounts; shares stay visible'),
})
export type ShareChartProps = z.output<typeof shareChartProps>
