import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const stepsProps = z.object({
  label: text().describe('what the steps lead to'),
  steps: z
    .array(z.object({ id: z.string(), label: text() }))
    .min(2)
    .max(7),
  value: z.string().describe('id of the step one is at'),
})
export type StepsProps = z.output<typeof stepsProps>
