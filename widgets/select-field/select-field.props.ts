import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const selectFieldProps = z.object({
  placeholder: text().optional(),
  sheet: z.boolean().optional().describe('a searchable list with notes, even for few options'),
})
export type SelectFieldProps = z.output<typeof selectFieldProps>
