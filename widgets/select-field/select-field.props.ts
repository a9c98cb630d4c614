import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const selectFieldProps = z.object({
  placeholder: text().optional(),
  sheet: z.boolean().optional().describe('a list with notes that can be searched, even when the options are few'),
})
export type SelectFieldProps = z.output<typeof selectFieldProps>
