import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const accordion = defineWidget({
  type: 'accordion',
  props: z.object({
    items: z.array(z.object({ id: z.union([z.string(), z.number()]), title: z.string(), html: z.string() })).max(200),
    label: text(),
  }),
  label: 'label',
  view: lazyView(async () => ({ default: (await import('#widgets/accordion/Accordion.tsx')).Accordion })),
})
