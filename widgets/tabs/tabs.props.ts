import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const tabsProps = z.object({
  items: z
    .array(z.object({ id: z.string(), label: text(16) }))
    .min(1)
    .max(12),
  value: z.string(),
  label: text(),
})
export type TabsProps = z.output<typeof tabsProps>
