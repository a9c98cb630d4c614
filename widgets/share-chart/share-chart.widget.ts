import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { shareChartProps } from '#widgets/share-chart/share-chart.props.ts'

export const shareChart = defineWidget({
  type: 'share-chart',
  props: shareChartProps,
  label: 'label',
  states: { loading: 'self', error: 'card', empty: { prop: 'items', by: 'self' } },
  view: lazyView(async () => ({ default: (await import('#widgets/share-chart/ShareChart.tsx')).ShareChart })),
})
