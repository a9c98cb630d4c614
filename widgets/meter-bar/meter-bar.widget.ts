import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { meterBarProps } from '#widgets/meter-bar/meter-bar.props.ts'

export const meterBar = defineWidget({
  type: 'meter-bar',
  props: meterBarProps,
  label: 'label',
  states: { loading: 'skeleton', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/meter-bar/MeterBar.tsx')).MeterBar })),
})
