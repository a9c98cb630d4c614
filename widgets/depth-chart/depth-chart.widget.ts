import { defineWidget } from '#renderer/widget-api.ts'
import { DepthChart } from '#widgets/depth-chart/DepthChart.tsx'
import { decimal } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const depthChart = defineWidget({
  type: 'depth-chart',
  props: z.object({ symbol: z.string(), tick: decimal() }),
  states: { loading: 'self', error: 'none' },
  view: DepthChart,
})
