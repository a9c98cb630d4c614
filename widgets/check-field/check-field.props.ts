import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const checkFieldProps = z.object({
  links: z
    .array(z.object({ id: z.string(), text: text() }))
    .max(5)
    .optional()
    .describe('linked words of the label; words that the label does not contain are appended'),
})
export type CheckFieldProps = z.output<typeof checkFieldProps>
