import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { listFieldProps } from '#widgets/list-field/list-field.props.ts'

export const listField = defineWidget({
  type: 'list-field',
  props: listFieldProps,
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/list-field/ListField.tsx')).ListField })),
})
