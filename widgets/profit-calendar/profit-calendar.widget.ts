import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { profitCalendarProps } from '#widgets/profit-calendar/profit-calendar.props.ts'

export const profitCalendar = defineWidget({
  type: 'profit-calendar',
  props: profitCalendarProps,
  events: ['month'],
  label: 'label',
  states: { loading: 'self', error: 'card', without: ['days'] },
  view: lazyView(async () => ({ default: (await import('#widgets/profit-calendar/ProfitCalendar.tsx')).ProfitCalendar })),
})
