import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const passwordFieldProps = z.object({
  autoComplete: z
    .enum(['current', 'new', 'off'])
    .optional()
    .describe(
      'current by default; with new, a password manager can generate a password; off for every password that is not the login password',
    ),
  strength: z.boolean().optional().describe('shows the strength of the password'),
  placeholder: text().optional(),
})
export type PasswordFieldProps = z.output<typeof passwordFieldProps>
