import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { switchProps } from '#widgets/switch/switch.props.ts'

export const switchWidget = defineWidget({
  type: 'switch',
  props: switchProps,
  events: ['change'],
  label: 'label',
  view: lazyView(async () => ({ default: (await import('#widgets/switch/Switch.tsx')).Switch })),
})
