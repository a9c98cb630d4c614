import { defineWidget } from '#renderer/widget-api.ts'
import { Split } from '#widgets/split/Split.tsx'
import { splitProps } from '#widgets/split/split.props.ts'

export const split = defineWidget({
  type: 'split',
  props: splitProps,
  events: ['resize'],
  slots: { main: {}, side: {}, end: {} },
  states: { loading: 'self', error: 'self' },
  view: Split,
})
