import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { swapFieldProps } from '#widgets/swap-field/swap-field.props.ts'

export const swapField = defineWidget({
  type: 'swap-field',
  props: swapFieldProps,
  events: ['swap'],
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/swap-field/SwapField.tsx')).SwapField })),
})
