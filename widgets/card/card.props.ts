import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const cardProps = z.object({
  tone: z.enum(['default', 'raised']).optional(),
  title: text().optional(),
  pressable: z.boolean().optional().describe('makes the card one button; it must contain no other control'),
})
export type CardProps = z.output<typeof cardProps>
