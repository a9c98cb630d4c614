import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { differenceProps } from '#widgets/difference/difference.props.ts'

export const difference = defineWidget({
  type: 'difference',
  props: differenceProps,
  label: 'caption',
  states: { loading: 'skeleton', error: 'card' },
  view: lazyView(async () => ({ default: (await import('#widgets/difference/Difference.tsx')).Difference })),
})
