import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { textAreaFieldProps } from '#widgets/text-area-field/text-area-field.props.ts'

export const textAreaField = defineWidget({
  type: 'text-area-field',
  props: textAreaFieldProps,
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/text-area-field/TextAreaField.tsx')).TextAreaField })),
})
