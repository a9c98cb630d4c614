import { defineWidget } from '#renderer/widget-api.ts'
import { Section } from '#widgets/section/Section.tsx'
import { sectionProps } from '#widgets/section/section.props.ts'

export const section = defineWidget({
  type: 'section',
  props: sectionProps,
  events: ['more'],
  slots: { body: {} },
  states: { loading: 'self', error: 'self' },
  view: Section,
})
