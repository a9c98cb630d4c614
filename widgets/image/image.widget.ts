import { defineWidget } from '#renderer/widget-api.ts'
import { Image } from '#widgets/image/Image.tsx'
import { imageProps } from '#widgets/image/image.props.ts'

export const image = defineWidget({
  type: 'image',
  props: imageProps,
  states: { loading: 'self', error: 'none' },
  view: Image,
})
