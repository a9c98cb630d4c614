import { decimal, text, tone } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const statGridProps = z.object({
  label: text().optional().describe('names the whole to assistive technology'),
  items: z
    .array(
      z.object({
        id: z.string(),
        label: text(),
        value: z.string().describe('as it is read; without any text: a dash'),
        tone: tone().optional().describe('of the value'),
        unit: z.string().optional().describe('small, behind the value'),
        change: decimal().optional().describe('ratio, "0.0123" is +1.23 %'),
        note: text().optional().describe('small, below: of what, since when'),
        spark: z.array(decimal()).max(200).optional().describe('oldest first'),
      }),
    )
    .max(24),
  columns: z.int().min(2).max(4).optional().describe('2 unless given; fewer where letters are large'),
  plain: z.boolean().optional().describe('without a ground of their own: figures of something that has one'),
  hidden: z.boolean().optional().describe('values are covered'),
})
export type StatGridProps = z.output<typeof statGridProps>
