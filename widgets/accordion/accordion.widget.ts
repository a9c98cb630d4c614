import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { accordionProps } from '#widgets/accordion/accordion.props.ts'

export const accordion = defineWidget({
  type: 'accordion',
  props: accordionProps,
  label: 'label',
  view: lazyView(async () => ({ default: (await import('#widgets/accordion/Accordion.tsx')).Accordion })),
})
