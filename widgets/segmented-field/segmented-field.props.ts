import { tone } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const segmentedFieldProps = z.object({
  tones: z.record(z.string(), tone()).optional().describe('option → tone that it has while it is chosen: {"buy": "up", "sell": "down"}'),
  scroll: z.boolean().optional().describe('a line that scrolls sideways, for many options'),
  hideLabel: z.boolean().optional().describe('the label is heard and not seen'),
})
export type SegmentedFieldProps = z.output<typeof segmentedFieldProps>
