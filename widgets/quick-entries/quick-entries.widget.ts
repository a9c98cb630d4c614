import { defineWidget } from '#renderer/widget-api.ts'
import { entries, text } from '#widgets/parts/props.ts'
import { QuickEntries } from '#widgets/quick-entries/QuickEntries.tsx'
import { z } from '#zod'

export const quickEntries = defineWidget({
  type: 'quick-entries',
  props: z.object({
    list: entries(14),
    columns: z.int().min(2).max(6).optional().describe('5 unless given; two rows are shown, the others behind “more”'),
    label: text(),
  }),
  label: 'label',
  view: QuickEntries,
})
