import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const textFieldProps = z.object({
  inputMode: z.enum(['text', 'email', 'tel', 'url', 'numeric', 'search']).optional().describe('keyboard of phones'),
  autoComplete: z.string().optional().describe('autocomplete token: email, username, tel-national, name …; off by default'),
  placeholder: text().optional(),
  prefix: z.string().optional().describe('shown before the value, not part of it'),
  suffix: z.string().optional(),
  autoFocus: z.boolean().optional().describe('takes the focus when it appears; for a dialog with one field'),
  clear: z.boolean().optional().describe('a button that clears the field'),
})
export type TextFieldProps = z.output<typeof textFieldProps>
