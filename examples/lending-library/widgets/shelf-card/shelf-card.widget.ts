import { ShelfCard } from '#examples/lending-library/widgets/shelf-card/ShelfCard.tsx'
import { defineWidget } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const shelfCard = defineWidget({
  type: 'shelf-card',
  props: z.object({
    title: z.string(),
    author: z.string(),
    hue: z.int().describe('colour of the cover, in degrees'),
    status: text(20),
    free: z.boolean().describe('it stands on the shelf'),
  }),
  events: ['press'],
  label: 'title',
  view: ShelfCard,
})
