import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { integerFieldProps } from '#widgets/integer-field/integer-field.props.ts'

export const integerField = defineWidget({
  type: 'integer-field',
  props: integerFieldProps,
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/integer-field/IntegerField.tsx')).IntegerField })),
})
