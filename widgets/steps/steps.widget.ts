import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const steps = defineWidget({
  type: 'steps',
  props: z.object({
    label: text().describe('what the steps lead to'),
    steps: z
      .array(z.object({ id: z.string(), label: text() }))
      .min(2)
      .max(7),
    value: z.string().describe('id of the step one is at'),
  }),
  states: { loading: 'skeleton', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/steps/Steps.tsx')).Steps })),
})
