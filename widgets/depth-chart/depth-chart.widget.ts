import { z } from '#zod'
import { defineWidget } from '#renderer/widget-api.ts'
import { DepthChart } from '#widgets/depth-chart/DepthChart.tsx'
import { decimal } from '#widgets/parts/props.ts'

export const depthChart = defineWidget({
  type: 'depth-chart',
  props: z.object({ symbol: z.string(), tick: decimal() }),
  states: { loading: 'self', error: 'none' },
  view: DepthChart,
})
