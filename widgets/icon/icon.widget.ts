import { defineWidget } from '#renderer/widget-api.ts'
import { IconView } from '#widgets/icon/IconView.tsx'
import { ref, text, tone } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const icon = defineWidget({
  type: 'icon',
  props: z.object({
    name: ref('icon'),
    size: z.int().min(12).max(96).optional().describe('px at 100 % text size; 20 unless given'),
    tone: tone().optional(),
    label: text().optional().describe('only where the icon says something that no word beside it says'),
  }),
  states: { loading: 'none', error: 'none' },
  view: IconView,
})
