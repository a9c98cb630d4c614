import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { depthChartProps } from '#widgets/depth-chart/depth-chart.props.ts'

export const depthChart = defineWidget({
  type: 'depth-chart',
  props: depthChartProps,
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/depth-chart/DepthChart.tsx')).DepthChart })),
})
