import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { z } from '#zod'

export const dateField = defineWidget({
  type: 'date-field',
  props: z.object({ autoComplete: z.string().optional().describe('bday, cc-exp …; nothing unless given') }),
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/date-field/DateField.tsx')).DateField })),
})
