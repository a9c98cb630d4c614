import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { sliderFieldProps } from '#widgets/slider-field/slider-field.props.ts'

export const sliderField = defineWidget({
  type: 'slider-field',
  props: sliderFieldProps,
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/slider-field/SliderField.tsx')).SliderField })),
})
