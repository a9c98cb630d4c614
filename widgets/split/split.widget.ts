import { z } from '#zod'
import { defineWidget } from '#renderer/widget-api.ts'
import { Split } from '#widgets/split/Split.tsx'

export const split = defineWidget({
  type: 'split',
  props: z.object({}),
  slots: { main: {}, side: {}, end: {} },
  states: { loading: 'self', error: 'self' },
  view: Split,
})
