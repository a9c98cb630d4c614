import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const accordionProps = z.object({
  items: z.array(z.object({ id: z.union([z.string(), z.number()]), title: z.string(), html: z.string() })).max(200),
  label: text(),
})
export type AccordionProps = z.output<typeof accordionProps>
