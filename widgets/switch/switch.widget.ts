import { defineWidget } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { Switch } from '#widgets/switch/Switch.tsx'
import { z } from '#zod'

export const switchWidget = defineWidget({
  type: 'switch',
  props: z.object({ label: text(), value: z.boolean(), note: text().optional() }),
  events: ['change'],
  label: 'label',
  view: Switch,
})
