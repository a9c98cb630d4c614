import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { calloutProps } from '#widgets/callout/callout.props.ts'

export const callout = defineWidget({
  type: 'callout',
  props: calloutProps,
  states: { loading: 'none', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/callout/Callout.tsx')).Callout })),
})
