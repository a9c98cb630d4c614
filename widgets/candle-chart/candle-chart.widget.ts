import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { candleChartProps } from '#widgets/candle-chart/candle-chart.props.ts'

export const candleChart = defineWidget({
  type: 'candle-chart',
  props: candleChartProps,
  events: ['period', 'mode', 'indicators', 'line'],
  states: { loading: 'self', error: 'none' },
  view: lazyView(
    async () => ({ default: (await import('#widgets/candle-chart/CandleChart.tsx')).CandleChart }),
    ({ small }) => ({ shape: small ? 'plot' : 'chart' }),
  ),
})
