import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const monthBarsProps = z.object({
  label: text().describe('what the bars count'),
  months: z
    .array(z.object({ month: z.string().describe('2026-11'), count: z.int().nonnegative() }))
    .max(24)
    .describe('oldest first'),
})
export type MonthBarsProps = z.output<typeof monthBarsProps>
