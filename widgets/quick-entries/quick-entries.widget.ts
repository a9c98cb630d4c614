import { defineWidget } from '#renderer/widget-api.ts'
import { ref, text } from '#widgets/parts/props.ts'
import { QuickEntries } from '#widgets/quick-entries/QuickEntries.tsx'
import { z } from '#zod'

export const quickEntries = defineWidget({
  type: 'quick-entries',
  props: z.object({
    list: ref('quick-entries'),
    columns: z.int().min(2).max(6).optional().describe('5 unless given; two rows are shown, the others behind “more”'),
    label: text(),
  }),
  label: 'label',
  view: QuickEntries,
})
