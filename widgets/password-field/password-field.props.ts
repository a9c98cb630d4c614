import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const passwordFieldProps = z.object({
  autoComplete: z.enum(['current', 'new', 'off']).optional().describe('current unless given; new lets a password manager make one up'),
  strength: z.boolean().optional().describe('says how hard it is to guess'),
  placeholder: text().optional(),
})
export type PasswordFieldProps = z.output<typeof passwordFieldProps>
