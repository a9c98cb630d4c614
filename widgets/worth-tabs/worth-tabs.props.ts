import { text, usd } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const worthTabsProps = z.object({
  label: text(),
  options: z
    .array(z.object({ id: z.string(), label: z.string(), usd: usd() }))
    .min(1)
    .max(8),
  value: z.string(),
  hidden: z.boolean().optional().describe('hides the amounts'),
})
export type WorthTabsProps = z.output<typeof worthTabsProps>
