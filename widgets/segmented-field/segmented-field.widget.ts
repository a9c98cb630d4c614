import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { segmentedFieldProps } from '#widgets/segmented-field/segmented-field.props.ts'

export const segmentedField = defineWidget({
  type: 'segmented-field',
  props: segmentedFieldProps,
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/segmented-field/SegmentedField.tsx')).SegmentedField })),
})
