import { ref, text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const buttonProps = z.object({
  label: text(40),
  tone: z.enum(['primary', 'secondary', 'up', 'down', 'danger', 'quiet', 'field']).optional(),
  size: z.enum(['md', 'sm']).optional(),
  icon: ref('icon').optional(),
  block: z.boolean().optional(),
  hideLabel: z.boolean().optional(),
  pressed: z.boolean().optional(),
  badge: z.string().optional().describe('short mark at the icon, such as a number; the label says it too'),
})
export type ButtonProps = z.output<typeof buttonProps>
