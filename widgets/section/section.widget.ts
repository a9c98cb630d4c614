import { defineWidget } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { Section } from '#widgets/section/Section.tsx'
import { z } from '#zod'

export const section = defineWidget({
  type: 'section',
  props: z.object({ title: text().optional(), more: text().optional() }),
  events: ['more'],
  slots: { body: {} },
  states: { loading: 'self', error: 'self' },
  view: Section,
})
