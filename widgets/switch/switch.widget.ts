import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const switchWidget = defineWidget({
  type: 'switch',
  props: z.object({ label: text(36), value: z.boolean(), note: text().optional() }),
  events: ['change'],
  label: 'label',
  view: lazyView(async () => ({ default: (await import('#widgets/switch/Switch.tsx')).Switch })),
})
