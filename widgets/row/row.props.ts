import { ref, text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const rowProps = z.object({
  title: text(),
  note: text().optional(),
  value: z.string().optional(),
  placeholder: text().optional().describe('stands in place of a value that is empty'),
  icon: ref('icon').optional(),
  image: z.string().optional(),
  coin: z.string().optional().describe('code of a coin whose mark stands before the words'),
  arrow: z.boolean().optional().describe('shown unless false; a row whose press does nothing never has one'),
  badge: text(20).optional(),
  badgeTone: z.enum(['accent', 'up', 'down', 'warn', 'quiet']).optional().describe('accent unless given'),
  selected: z.boolean().optional(),
})
export type RowProps = z.output<typeof rowProps>
