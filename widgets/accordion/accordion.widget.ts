import { defineWidget } from '#renderer/widget-api.ts'
import { Accordion } from '#widgets/accordion/Accordion.tsx'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const accordion = defineWidget({
  type: 'accordion',
  props: z.object({
    items: z.array(z.object({ id: z.union([z.string(), z.number()]), title: z.string(), html: z.string() })).max(200),
    label: text(),
  }),
  label: 'label',
  view: Accordion,
})
