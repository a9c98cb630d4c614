import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const textAreaFieldProps = z.object({
  rows: z.int().min(1).max(20).optional().describe('height while it is empty; it grows with its text'),
  placeholder: text().optional(),
  autoFocus: z.boolean().optional().describe('has the focus as soon as it stands; for a dialog that asks one thing'),
})
export type TextAreaFieldProps = z.output<typeof textAreaFieldProps>
