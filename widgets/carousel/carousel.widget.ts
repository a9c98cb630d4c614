import { defineWidget } from '#renderer/widget-api.ts'
import { Carousel } from '#widgets/carousel/Carousel.tsx'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const carousel = defineWidget({
  type: 'carousel',
  props: z.object({
    label: text(),
    autoplayMs: z.int().min(3_000).max(60_000).optional().describe('time that a slide stays; without it nothing moves by itself'),
  }),
  slots: { slide: {} },
  label: 'label',
  states: { loading: 'self', error: 'none' },
  view: Carousel,
})
