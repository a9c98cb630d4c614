import { defineWidget } from '#renderer/widget-api.ts'
import { Card } from '#widgets/card/Card.tsx'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const card = defineWidget({
  type: 'card',
  props: z.object({
    tone: z.enum(['default', 'raised']).optional(),
    title: text().optional(),
    pressable: z.boolean().optional().describe('the whole card is one button: put no other control into it'),
  }),
  events: ['press'],
  slots: { body: {} },
  states: { loading: 'self', error: 'self' },
  view: Card,
})
