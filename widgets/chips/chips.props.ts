import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const chipsProps = z.object({
  items: z.array(z.object({ id: z.string(), label: z.string() })).max(50),
  label: text(),
  clear: text().optional().describe('label of the button that removes all chips; without it there is no button'),
})
export type ChipsProps = z.output<typeof chipsProps>
