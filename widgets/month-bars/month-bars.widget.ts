import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const monthBars = defineWidget({
  type: 'month-bars',
  props: z.object({
    label: text().describe('what is counted'),
    months: z
      .array(z.object({ month: z.string().describe('2026-11'), count: z.int().nonnegative() }))
      .max(24)
      .describe('oldest first'),
  }),
  label: 'label',
  states: { loading: 'skeleton', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/month-bars/MonthBars.tsx')).MonthBars })),
})
