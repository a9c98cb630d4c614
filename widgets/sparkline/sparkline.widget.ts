import { defineWidget } from '#renderer/widget-api.ts'
import { Sparkline } from '#widgets/sparkline/Sparkline.tsx'
import { sparklineProps } from '#widgets/sparkline/sparkline.props.ts'

export const sparkline = defineWidget({
  type: 'sparkline',
  props: sparklineProps,
  states: { loading: 'self', error: 'none', without: ['points'] },
  view: Sparkline,
})
