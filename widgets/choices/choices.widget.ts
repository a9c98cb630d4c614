import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const choices = defineWidget({
  type: 'choices',
  props: z.object({
    options: z.array(z.object({ id: z.string(), label: z.string(), note: z.string().optional() })).max(300),
    value: z.string(),
    label: text(),
  }),
  events: ['change'],
  label: 'label',
  view: lazyView(async () => ({ default: (await import('#widgets/choices/Choices.tsx')).Choices })),
})
