import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { lineChartProps } from '#widgets/line-chart/line-chart.props.ts'

export const lineChart = defineWidget({
  type: 'line-chart',
  props: lineChartProps,
  label: 'label',
  states: { loading: 'self', error: 'card', empty: { prop: 'series', by: 'self' } },
  view: lazyView(async () => ({ default: (await import('#widgets/line-chart/LineChart.tsx')).LineChart })),
})
