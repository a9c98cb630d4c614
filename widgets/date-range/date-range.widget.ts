import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const dateRange = defineWidget({
  type: 'date-range',
  props: z.object({
    label: text(),
    fromLabel: text(),
    toLabel: text(),
    from: z.number().nullable().optional().describe('ms where the first day begins; null: open'),
    to: z.number().nullable().optional().describe('ms where the day after the last one begins; null: open'),
  }),
  events: ['change'],
  label: 'label',
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/date-range/DateRange.tsx')).DateRange })),
})
