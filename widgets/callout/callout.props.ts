import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const calloutProps = z.object({
  text: text(),
  title: text().optional(),
  tone: z.enum(['info', 'warn']).optional().describe('info by default'),
})
export type CalloutProps = z.output<typeof calloutProps>
