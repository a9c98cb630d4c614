import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const cardProps = z.object({
  tone: z.enum(['default', 'raised']).optional(),
  title: text().optional(),
  pressable: z.boolean().optional().describe('the whole card is one button: put no other control into it'),
})
export type CardProps = z.output<typeof cardProps>
