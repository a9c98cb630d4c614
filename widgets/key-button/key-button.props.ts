import { ref, text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const keyButtonProps = z.object({
  label: text(24),
  hotkey: z
    .string()
    .regex(/^[a-z0-9]$/)
    .describe('keyboard shortcut, a letter or digit; inactive in input fields and while a dialog is open'),
  tone: z.enum(['primary', 'secondary', 'danger', 'quiet']).optional(),
  icon: ref('icon').optional(),
})
export type KeyButtonProps = z.output<typeof keyButtonProps>
