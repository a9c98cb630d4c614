import { defineWidget } from '#renderer/widget-api.ts'
import { Segmented } from '#widgets/segmented/Segmented.tsx'
import { segmentedProps } from '#widgets/segmented/segmented.props.ts'

export const segmented = defineWidget({
  type: 'segmented',
  props: segmentedProps,
  events: ['change'],
  label: 'label',
  view: Segmented,
})
