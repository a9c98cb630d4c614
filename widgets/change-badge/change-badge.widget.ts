import { defineWidget } from '#renderer/widget-api.ts'
import { ChangeBadge } from '#widgets/change-badge/ChangeBadge.tsx'
import { decimal, market } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const changeBadge = defineWidget({
  type: 'change-badge',
  props: z.object({
    symbol: market().optional().describe('live change of 24 hours'),
    value: decimal().optional().describe('ratio, "0.0123" is 1.23 %; with a symbol: shown until the feed speaks'),
  }),
  states: { loading: 'self', error: 'none' },
  view: ChangeBadge,
})
