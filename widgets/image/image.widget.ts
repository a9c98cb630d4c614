import { defineWidget } from '#renderer/widget-api.ts'
import { Image } from '#widgets/image/Image.tsx'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const image = defineWidget({
  type: 'image',
  props: z.object({
    src: z.string(),
    alt: text().describe('what the picture says; empty where it only decorates'),
    ratio: z
      .string()
      .regex(/^\d{1,3}:\d{1,3}$/)
      .optional()
      .describe('width:height, keeps the place while the picture loads'),
    round: z.boolean().optional(),
  }),
  states: { loading: 'self', error: 'none' },
  view: Image,
})
