import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const listProps = z.object({
  windowed: z.boolean().optional().describe('true by default: only rows near the visible area are rendered'),
  rowHeight: z.int().min(24).max(600).optional().describe('estimated height in px until a row is measured; 64 by default'),
  lines: z.boolean().optional().describe('true by default: a line between rows; false for rows that are cards'),
  more: z.boolean().optional().describe('there are more pages; a list without pages leaves it out and shows no end'),
  loadingMore: z.boolean().optional(),
  endText: text().optional(),
  label: text().optional(),
})
export type ListProps = z.output<typeof listProps>
