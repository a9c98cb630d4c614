import { defineWidget } from '#renderer/widget-api.ts'
import { decimal } from '#widgets/parts/props.ts'
import { TradeTape } from '#widgets/trade-tape/TradeTape.tsx'
import { z } from '#zod'

export const tradeTape = defineWidget({
  type: 'trade-tape',
  props: z.object({
    symbol: z.string(),
    tick: decimal(),
    rows: z.int().min(1).max(50).optional().describe('20 unless given'),
  }),
  states: { loading: 'self', error: 'none' },
  view: TradeTape,
})
