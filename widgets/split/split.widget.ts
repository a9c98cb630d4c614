import { defineWidget } from '#renderer/widget-api.ts'
import { Split } from '#widgets/split/Split.tsx'
import { z } from '#zod'

export const split = defineWidget({
  type: 'split',
  props: z.object({
    narrow: z
      .array(z.enum(['main', 'side', 'end']))
      .max(3)
      .optional()
      .describe('slots from top to bottom where there is no room beside each other; main, side, end unless given'),
  }),
  slots: { main: {}, side: {}, end: {} },
  states: { loading: 'self', error: 'self' },
  view: Split,
})
