import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const listField = defineWidget({
  type: 'list-field',
  props: z.object({ placeholder: text().optional() }),
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/list-field/ListField.tsx')).ListField })),
})
