import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { stepsProps } from '#widgets/steps/steps.props.ts'

export const steps = defineWidget({
  type: 'steps',
  props: stepsProps,
  states: { loading: 'skeleton', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/steps/Steps.tsx')).Steps })),
})
