import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { z } from '#zod'

export const scanField = defineWidget({
  type: 'scan-field',
  props: z.object({}),
  events: ['read'],
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/scan-field/ScanField.tsx')).ScanField })),
})
