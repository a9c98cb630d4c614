import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const selectField = defineWidget({
  type: 'select-field',
  props: z.object({
    placeholder: text().optional(),
    sheet: z.boolean().optional().describe('a list with notes that can be searched, even when the options are few'),
  }),
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/select-field/SelectField.tsx')).SelectField })),
})
