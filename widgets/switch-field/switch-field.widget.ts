import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { z } from '#zod'

export const switchField = defineWidget({
  type: 'switch-field',
  props: z.object({}),
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/switch-field/SwitchField.tsx')).SwitchField })),
})
