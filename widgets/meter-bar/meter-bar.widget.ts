import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { share, text, tone } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const meterBar = defineWidget({
  type: 'meter-bar',
  props: z.object({
    label: text(),
    value: text().describe('the figures in words, such as "120 of 200 BTC"'),
    ratio: share().describe('share that is filled: "0.25" is a quarter'),
    tone: tone().optional().describe('of the filled part; accent unless given'),
  }),
  label: 'label',
  states: { loading: 'skeleton', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/meter-bar/MeterBar.tsx')).MeterBar })),
})
