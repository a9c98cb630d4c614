import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { codeFieldProps } from '#widgets/code-field/code-field.props.ts'

export const codeField = defineWidget({
  type: 'code-field',
  props: codeFieldProps,
  events: ['send'],
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/code-field/CodeField.tsx')).CodeField })),
})
