import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text, tone } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const keyValue = defineWidget({
  type: 'key-value',
  props: z.object({
    rows: z
      .array(
        z.object({
          label: text(),
          value: z.string().describe('without any text: a dash'),
          tone: tone().optional(),
          copy: z.boolean().optional(),
          strong: z.boolean().optional().describe('what the others lead to: larger'),
        }),
      )
      .max(40),
  }),
  events: ['copy'],
  view: lazyView(async () => ({ default: (await import('#widgets/key-value/KeyValue.tsx')).KeyValue })),
})
