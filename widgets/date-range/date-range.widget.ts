import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { dateRangeProps } from '#widgets/date-range/date-range.props.ts'

export const dateRange = defineWidget({
  type: 'date-range',
  props: dateRangeProps,
  events: ['change'],
  label: 'label',
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/date-range/DateRange.tsx')).DateRange })),
})
