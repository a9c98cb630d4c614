import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { keyButtonProps } from '#widgets/key-button/key-button.props.ts'

export const keyButton = defineWidget({
  type: 'key-button',
  props: keyButtonProps,
  events: ['press'],
  label: 'label',
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/key-button/KeyButton.tsx')).KeyButton })),
})
