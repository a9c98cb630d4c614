import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const textAreaField = defineWidget({
  type: 'text-area-field',
  props: z.object({
    rows: z.int().min(1).max(20).optional().describe('height while it is empty; it grows with its text'),
    placeholder: text().optional(),
    autoFocus: z.boolean().optional().describe('has the focus as soon as it stands; for a dialog that asks one thing'),
  }),
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/text-area-field/TextAreaField.tsx')).TextAreaField })),
})
