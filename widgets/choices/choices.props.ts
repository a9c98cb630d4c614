import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const choicesProps = z.object({
  options: z.array(z.object({ id: z.string(), label: z.string(), note: z.string().optional() })).max(300),
  value: z.string(),
  label: text(),
})
export type ChoicesProps = z.output<typeof choicesProps>
