import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const stepsProps = z.object({
  label: text().describe('accessible name: the goal of the steps'),
  steps: z
    .array(z.object({ id: z.string(), label: text() }))
    .min(2)
    .max(7),
  value: z.string().describe('id of the current step'),
})
export type StepsProps = z.output<typeof stepsProps>
