import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text, usd } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const worthTabs = defineWidget({
  type: 'worth-tabs',
  props: z.object({
    label: text(),
    options: z
      .array(z.object({ id: z.string(), label: z.string(), usd: usd() }))
      .min(1)
      .max(8),
    value: z.string(),
    hidden: z.boolean().optional().describe('amounts are covered'),
  }),
  events: ['change'],
  label: 'label',
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/worth-tabs/WorthTabs.tsx')).WorthTabs })),
})
