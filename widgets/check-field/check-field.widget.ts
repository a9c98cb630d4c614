import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const checkField = defineWidget({
  type: 'check-field',
  props: z.object({
    links: z
      .array(z.object({ id: z.string(), text: text() }))
      .max(5)
      .optional()
      .describe('words of the label that can be pressed; words that it does not have stand after it'),
  }),
  events: ['link'],
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/check-field/CheckField.tsx')).CheckField })),
})
