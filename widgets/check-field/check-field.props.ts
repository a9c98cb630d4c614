import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const checkFieldProps = z.object({
  links: z
    .array(z.object({ id: z.string(), text: text() }))
    .max(5)
    .optional()
    .describe('words of the label that can be pressed; words that it does not have stand after it'),
})
export type CheckFieldProps = z.output<typeof checkFieldProps>
