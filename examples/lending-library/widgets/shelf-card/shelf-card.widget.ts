import { ShelfCard } from '#examples/lending-library/widgets/shelf-card/ShelfCard.tsx'
import { defineWidget } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const shelfCard = defineWidget({
  type: 'shelf-card',
  props: z.object({ book: z.object({ title: z.string(), author: z.string(), hue: z.int() }), status: text(20) }),
  events: ['press'],
  view: ShelfCard,
})
