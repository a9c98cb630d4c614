import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const callout = defineWidget({
  type: 'callout',
  props: z.object({
    text: text(),
    title: text().optional(),
    tone: z.enum(['info', 'warn']).optional().describe('info unless given'),
  }),
  states: { loading: 'none', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/callout/Callout.tsx')).Callout })),
})
