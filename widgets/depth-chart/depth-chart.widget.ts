import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { decimal, market } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const depthChart = defineWidget({
  type: 'depth-chart',
  props: z.object({ symbol: market(), tick: decimal({ unit: 'price' }) }),
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/depth-chart/DepthChart.tsx')).DepthChart })),
})
