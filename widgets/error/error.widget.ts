import { defineWidget } from '#renderer/widget-api.ts'
import { ErrorCard } from '#widgets/error/ErrorCard.tsx'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const error = defineWidget({
  type: 'error',
  props: z.object({ title: text().optional(), text: text().optional(), code: z.string().optional() }),
  events: ['retry'],
  view: ErrorCard,
})
