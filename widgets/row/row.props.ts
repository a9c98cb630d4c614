import { ref, status, text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const rowProps = z.object({
  title: text(),
  note: text().optional(),
  value: z.string().optional(),
  placeholder: text().optional().describe('shown when the value is empty'),
  icon: ref('icon').optional(),
  image: z.string().optional(),
  coin: z.string().optional().describe('currency code; its icon is shown before the text'),
  arrow: z.boolean().optional().describe('shown unless false, and only if the row has a press action'),
  badge: text(20).optional(),
  badgeTone: z.enum(['accent', 'up', 'down', 'warn', 'quiet']).optional().describe('accent by default'),
  status: status('badge', 'badgeTone'),
  selected: z.boolean().optional(),
})
export type RowProps = z.output<typeof rowProps>
