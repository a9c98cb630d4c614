import { defineWidget } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { Section } from '#widgets/section/Section.tsx'
import { z } from '#zod'

export const section = defineWidget({
  type: 'section',
  props: z.object({ title: text(30).optional(), more: text(24).optional() }),
  events: ['more'],
  slots: { body: {} },
  states: { loading: 'self', error: 'self' },
  view: Section,
})
