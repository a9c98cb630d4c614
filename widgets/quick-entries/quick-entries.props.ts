import { entries, text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const quickEntriesProps = z.object({
  list: entries(14),
  columns: z.int().min(2).max(6).optional().describe('5 unless given; two rows are shown, the others behind “more”'),
  label: text(),
})
export type QuickEntriesProps = z.output<typeof quickEntriesProps>
