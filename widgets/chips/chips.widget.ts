import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const chips = defineWidget({
  type: 'chips',
  props: z.object({
    items: z.array(z.object({ id: z.string(), label: z.string() })).max(50),
    label: text(),
    clear: text().optional().describe('words of the button that removes them all; without them there is none'),
  }),
  events: ['select', 'clear'],
  label: 'label',
  states: { loading: 'none', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/chips/Chips.tsx')).Chips })),
})
