import { defineWidget } from '#renderer/widget-api.ts'
import { Badge } from '#widgets/badge/Badge.tsx'
import { text, tone } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const badge = defineWidget({
  type: 'badge',
  props: z.object({ text: text(24), tone: tone().optional() }),
  states: { loading: 'none', error: 'none' },
  view: Badge,
})
