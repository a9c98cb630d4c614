import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const rowsFieldProps = z.object({
  item: text().optional().describe('name of one row'),
  add: text().optional(),
  none: text().optional(),
  fixed: z.boolean().optional().describe('rows cannot be moved'),
})
export type RowsFieldProps = z.output<typeof rowsFieldProps>
