import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { durationFieldProps } from '#widgets/duration-field/duration-field.props.ts'

export const durationField = defineWidget({
  type: 'duration-field',
  props: durationFieldProps,
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/duration-field/DurationField.tsx')).DurationField })),
})
