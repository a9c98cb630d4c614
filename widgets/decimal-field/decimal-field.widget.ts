import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { decimalFieldProps } from '#widgets/decimal-field/decimal-field.props.ts'

export const decimalField = defineWidget({
  type: 'decimal-field',
  props: decimalFieldProps,
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/decimal-field/DecimalField.tsx')).DecimalField })),
})
