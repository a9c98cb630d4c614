import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const imageField = defineWidget({
  type: 'image-field',
  props: z.object({
    purpose: z.string().optional().describe('what the picture is for, as the upload takes it'),
    capture: z.enum(['environment', 'user']).optional().describe('a phone opens its camera at once'),
    prompt: text().optional(),
  }),
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/image-field/ImageField.tsx')).ImageField })),
})
