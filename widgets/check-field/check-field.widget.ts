import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { checkFieldProps } from '#widgets/check-field/check-field.props.ts'

export const checkField = defineWidget({
  type: 'check-field',
  props: checkFieldProps,
  events: ['link'],
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/check-field/CheckField.tsx')).CheckField })),
})
