import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { tone } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const segmentedField = defineWidget({
  type: 'segmented-field',
  props: z.object({
    tones: z.record(z.string(), tone()).optional().describe('option → tone that it has while it is chosen: {"buy": "up", "sell": "down"}'),
    scroll: z.boolean().optional().describe('a line that scrolls sideways, for many options'),
    hideLabel: z.boolean().optional().describe('the label is heard and not seen'),
  }),
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/segmented-field/SegmentedField.tsx')).SegmentedField })),
})
