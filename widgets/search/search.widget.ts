import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const search = defineWidget({
  type: 'search',
  props: z.object({ value: z.string().optional(), placeholder: text(), label: text(), autoFocus: z.boolean().optional() }),
  events: ['change', 'submit'],
  label: 'label',
  states: { loading: 'self', error: 'self' },
  view: lazyView(async () => ({ default: (await import('#widgets/search/Search.tsx')).Search })),
})
