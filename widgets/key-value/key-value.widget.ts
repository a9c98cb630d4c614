import { defineWidget } from '#renderer/widget-api.ts'
import { KeyValue } from '#widgets/key-value/KeyValue.tsx'
import { text, tone } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const keyValue = defineWidget({
  type: 'key-value',
  props: z.object({
    rows: z.array(z.object({ label: text(), value: z.string(), tone: tone().optional(), copy: z.boolean().optional() })).max(40),
  }),
  events: ['copy'],
  view: KeyValue,
})
