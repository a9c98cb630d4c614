import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const listProps = z.object({
  windowed: z.boolean().optional().describe('true unless given: only the rows near the window are in the page'),
  rowHeight: z.int().min(24).max(600).optional().describe('px, an estimate until a row was measured; 64 unless given'),
  more: z.boolean().optional().describe('there are further pages'),
  loadingMore: z.boolean().optional(),
  endText: text().optional(),
  label: text().optional(),
})
export type ListProps = z.output<typeof listProps>
