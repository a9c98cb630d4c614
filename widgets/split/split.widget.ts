import { defineWidget } from '#renderer/widget-api.ts'
import { Split } from '#widgets/split/Split.tsx'
import { z } from '#zod'

export const split = defineWidget({
  type: 'split',
  props: z.object({}),
  slots: { main: {}, side: {}, end: {} },
  states: { loading: 'self', error: 'self' },
  view: Split,
})
