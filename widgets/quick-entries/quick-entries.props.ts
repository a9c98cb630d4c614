import { entries, text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const quickEntriesProps = z.object({
  list: entries(14),
  columns: z.int().min(2).max(6).optional().describe('5 by default; two rows are shown, further entries under “more”'),
  label: text(),
})
export type QuickEntriesProps = z.output<typeof quickEntriesProps>
