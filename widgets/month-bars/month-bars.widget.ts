import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { monthBarsProps } from '#widgets/month-bars/month-bars.props.ts'

export const monthBars = defineWidget({
  type: 'month-bars',
  props: monthBarsProps,
  label: 'label',
  states: { loading: 'skeleton', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/month-bars/MonthBars.tsx')).MonthBars })),
})
