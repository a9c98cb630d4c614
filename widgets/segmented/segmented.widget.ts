import { defineWidget } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { Segmented } from '#widgets/segmented/Segmented.tsx'
import { z } from '#zod'

export const segmented = defineWidget({
  type: 'segmented',
  props: z.object({
    options: z
      .array(z.object({ id: z.string(), label: text(20) }))
      .min(1)
      .max(20),
    value: z.string(),
    label: text(),
    scroll: z.boolean().optional().describe('a line that scrolls sideways, for many options'),
  }),
  events: ['change'],
  label: 'label',
  view: Segmented,
})
