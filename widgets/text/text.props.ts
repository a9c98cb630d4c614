import { tone, text as words } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const textProps = z.object({
  text: words(),
  size: z.enum(['xs', 'sm', 'md', 'lg', 'xl', 'xxl']).optional(),
  tone: tone().optional(),
  weight: z.enum(['normal', 'bold']).optional(),
  align: z.enum(['start', 'center', 'end']).optional(),
  as: z.enum(['p', 'span', 'h2', 'h3']).optional(),
  lines: z.int().min(1).max(20).optional(),
})
export type TextProps = z.output<typeof textProps>
