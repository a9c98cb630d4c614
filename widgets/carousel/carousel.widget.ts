import { defineWidget } from '#renderer/widget-api.ts'
import { Carousel } from '#widgets/carousel/Carousel.tsx'
import { carouselProps } from '#widgets/carousel/carousel.props.ts'

export const carousel = defineWidget({
  type: 'carousel',
  props: carouselProps,
  slots: { slide: {} },
  label: 'label',
  states: { loading: 'self', error: 'none' },
  view: Carousel,
})
