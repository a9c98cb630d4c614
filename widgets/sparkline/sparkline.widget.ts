import { defineWidget } from '#renderer/widget-api.ts'
import { decimal, text } from '#widgets/parts/props.ts'
import { Sparkline } from '#widgets/sparkline/Sparkline.tsx'
import { z } from '#zod'

export const sparkline = defineWidget({
  type: 'sparkline',
  props: z.object({
    points: z.array(decimal()).describe('oldest first; fewer than two draw nothing'),
    label: text().optional().describe('without it assistive technology does not see the line'),
  }),
  states: { loading: 'self', error: 'none' },
  view: Sparkline,
})
