import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const textAreaFieldProps = z.object({
  rows: z.int().min(1).max(20).optional().describe('initial height; the field grows with its text'),
  placeholder: text().optional(),
  autoFocus: z.boolean().optional().describe('takes the focus when it appears; for a dialog with one field'),
})
export type TextAreaFieldProps = z.output<typeof textAreaFieldProps>
