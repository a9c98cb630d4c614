import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { dateFieldProps } from '#widgets/date-field/date-field.props.ts'

export const dateField = defineWidget({
  type: 'date-field',
  props: dateFieldProps,
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/date-field/DateField.tsx')).DateField })),
})
