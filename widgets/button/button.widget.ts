import { defineWidget } from '#renderer/widget-api.ts'
import { Button } from '#widgets/button/Button.tsx'
import { ref, text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const button = defineWidget({
  type: 'button',
  props: z.object({
    label: text(40),
    tone: z.enum(['primary', 'secondary', 'danger', 'quiet', 'field']).optional(),
    size: z.enum(['md', 'sm']).optional(),
    icon: ref('icon').optional(),
    block: z.boolean().optional(),
    hideLabel: z.boolean().optional(),
    pressed: z.boolean().optional(),
  }),
  events: ['press'],
  label: 'label',
  states: { loading: 'self', error: 'none' },
  view: Button,
})
