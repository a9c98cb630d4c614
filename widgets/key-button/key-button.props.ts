import { ref, text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const keyButtonProps = z.object({
  label: text(24),
  hotkey: z
    .string()
    .regex(/^[a-z0-9]$/)
    .describe('letter or digit that presses it from anywhere on the screen, unless something is typed or a dialog is open'),
  tone: z.enum(['primary', 'secondary', 'danger', 'quiet']).optional(),
  icon: ref('icon').optional(),
})
export type KeyButtonProps = z.output<typeof keyButtonProps>
