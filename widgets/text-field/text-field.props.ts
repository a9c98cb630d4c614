import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const textFieldProps = z.object({
  inputMode: z.enum(['text', 'email', 'tel', 'url', 'numeric', 'search']).optional().describe('which keyboard a phone shows'),
  autoComplete: z.string().optional().describe('what the browser may fill in: email, username, tel-national, name …; nothing unless given'),
  placeholder: text().optional(),
  prefix: z.string().optional().describe('stands before the entry and is no part of it'),
  suffix: z.string().optional(),
  autoFocus: z.boolean().optional().describe('has the focus as soon as it stands; for a dialog that asks one thing'),
  clear: z.boolean().optional().describe('a button that empties it'),
})
export type TextFieldProps = z.output<typeof textFieldProps>
