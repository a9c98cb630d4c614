import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { textFieldProps } from '#widgets/text-field/text-field.props.ts'

export const textField = defineWidget({
  type: 'text-field',
  props: textFieldProps,
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/text-field/TextField.tsx')).TextField })),
})
