import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const swapField = defineWidget({
  type: 'swap-field',
  props: z.object({ placeholder: text().optional() }),
  events: ['swap'],
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/swap-field/SwapField.tsx')).SwapField })),
})
