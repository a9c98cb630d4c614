import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { selectFieldProps } from '#widgets/select-field/select-field.props.ts'

export const selectField = defineWidget({
  type: 'select-field',
  props: selectFieldProps,
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/select-field/SelectField.tsx')).SelectField })),
})
