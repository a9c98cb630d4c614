import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { splitProps } from '#widgets/split/split.props.ts'

export const split = defineWidget({
  type: 'split',
  props: splitProps,
  events: ['resize'],
  slots: { main: {}, side: {}, end: {}, below: {} },
  states: { loading: 'self', error: 'self' },
  view: lazyView(async () => ({ default: (await import('#widgets/split/Split.tsx')).Split })),
})
