import { decimal, text, tone } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const statGridProps = z.object({
  label: text().optional().describe('accessible name of the grid'),
  items: z
    .array(
      z.object({
        id: z.string(),
        label: text(),
        value: z.string().describe('formatted value; a dash if it is empty'),
        tone: tone().optional().describe('tone of the value'),
        unit: z.string().optional().describe('small text after the value'),
        change: decimal().optional().describe('ratio: "0.0123" is +1.23 %'),
        note: text().optional().describe('small text below the value'),
        spark: z.array(decimal()).max(200).optional().describe('oldest first'),
      }),
    )
    .max(24),
  columns: z.int().min(2).max(4).optional().describe('2 by default; fewer at large text sizes'),
  plain: z.boolean().optional().describe('without a background, for use inside a card'),
  hidden: z.boolean().optional().describe('hides the values'),
})
export type StatGridProps = z.output<typeof statGridProps>
