import { defineWidget } from '#renderer/widget-api.ts'
import { ChangeBadge } from '#widgets/change-badge/ChangeBadge.tsx'
import { market, share } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const changeBadge = defineWidget({
  type: 'change-badge',
  props: z.object({
    symbol: market().optional().describe('live change of 24 hours'),
    value: share().optional().describe('ratio, "0.0123" is 1.23 %; with a symbol: shown until the feed speaks'),
  }),
  states: { loading: 'self', error: 'none' },
  view: ChangeBadge,
})
