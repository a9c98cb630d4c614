import { tone } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const segmentedFieldProps = z.object({
  tones: z.record(z.string(), tone()).optional().describe('option → tone while it is selected: {"buy": "up", "sell": "down"}'),
  scroll: z.boolean().optional().describe('one line that scrolls horizontally, for many options'),
  hideLabel: z.boolean().optional().describe('visually hides the label'),
})
export type SegmentedFieldProps = z.output<typeof segmentedFieldProps>
