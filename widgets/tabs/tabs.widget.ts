import { defineWidget } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { Tabs } from '#widgets/tabs/Tabs.tsx'
import { z } from '#zod'

export const tabs = defineWidget({
  type: 'tabs',
  props: z.object({
    items: z
      .array(z.object({ id: z.string(), label: text() }))
      .min(1)
      .max(12),
    value: z.string(),
    label: text(),
  }),
  events: ['change'],
  slots: { panel: {} },
  label: 'label',
  states: { loading: 'self', error: 'self' },
  view: Tabs,
})
