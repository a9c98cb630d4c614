import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const tabs = defineWidget({
  type: 'tabs',
  props: z.object({
    items: z
      .array(z.object({ id: z.string(), label: text(16) }))
      .min(1)
      .max(12),
    value: z.string(),
    label: text(),
  }),
  events: ['change'],
  slots: { panel: {} },
  label: 'label',
  states: { loading: 'self', error: 'self' },
  view: lazyView(async () => ({ default: (await import('#widgets/tabs/Tabs.tsx')).Tabs })),
})
