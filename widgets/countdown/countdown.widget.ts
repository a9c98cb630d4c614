import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { countdownProps } from '#widgets/countdown/countdown.props.ts'

export const countdown = defineWidget({
  type: 'countdown',
  props: countdownProps,
  events: ['done'],
  label: 'label',
  states: { loading: 'none', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/countdown/Countdown.tsx')).Countdown })),
})
