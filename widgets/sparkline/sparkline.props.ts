import { decimal, text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const sparklineProps = z.object({
  points: z.array(decimal()).describe('oldest first; fewer than two draw nothing'),
  label: text().optional().describe('without it assistive technology does not see the line'),
})
export type SparklineProps = z.output<typeof sparklineProps>
