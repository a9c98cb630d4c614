import { defineWidget } from '#renderer/widget-api.ts'
import { Empty } from '#widgets/empty/Empty.tsx'
import { ref, text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const empty = defineWidget({
  type: 'empty',
  props: z.object({ title: text(), text: text().optional(), icon: ref('icon').optional(), action: text(32).optional() }),
  events: ['press'],
  view: Empty,
})
