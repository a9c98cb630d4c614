import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const tableProps = z.object({
  columns: z
    .array(z.object({ label: text(20), align: z.enum(['start', 'end']).optional() }))
    .min(1)
    .max(12),
  caption: text().describe('names the table to assistive technology'),
  windowed: z.boolean().optional().describe('true unless given: of more than 60 rows only those near the window are in the page'),
})
export type TableProps = z.output<typeof tableProps>
