import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { switchFieldProps } from '#widgets/switch-field/switch-field.props.ts'

export const switchField = defineWidget({
  type: 'switch-field',
  props: switchFieldProps,
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/switch-field/SwitchField.tsx')).SwitchField })),
})
