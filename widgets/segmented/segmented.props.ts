import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const segmentedProps = z.object({
  options: z
    .array(z.object({ id: z.string(), label: text(20) }))
    .min(1)
    .max(20),
  value: z.string(),
  label: text(),
  scroll: z.boolean().optional().describe('one line that scrolls horizontally, for many options'),
})
export type SegmentedProps = z.output<typeof segmentedProps>
