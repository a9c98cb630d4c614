import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const chipsProps = z.object({
  items: z.array(z.object({ id: z.string(), label: z.string() })).max(50),
  label: text(),
  clear: text().optional().describe('words of the button that removes them all; without them there is none'),
})
export type ChipsProps = z.output<typeof chipsProps>
