import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const tableProps = z.object({
  columns: z
    .array(z.object({ label: text(20), align: z.enum(['start', 'end']).optional() }))
    .min(1)
    .max(12),
  caption: text().describe('accessible name of the table'),
  windowed: z.boolean().optional().describe('true by default: with more than 60 rows, only rows near the visible area are rendered'),
})
export type TableProps = z.output<typeof tableProps>
