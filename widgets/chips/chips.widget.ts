import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { chipsProps } from '#widgets/chips/chips.props.ts'

export const chips = defineWidget({
  type: 'chips',
  props: chipsProps,
  events: ['select', 'clear'],
  label: 'label',
  states: { loading: 'none', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/chips/Chips.tsx')).Chips })),
})
