import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { imageFieldProps } from '#widgets/image-field/image-field.props.ts'

export const imageField = defineWidget({
  type: 'image-field',
  props: imageFieldProps,
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/image-field/ImageField.tsx')).ImageField })),
})
