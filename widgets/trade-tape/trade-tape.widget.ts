import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { decimal, market } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const tradeTape = defineWidget({
  type: 'trade-tape',
  props: z.object({
    symbol: market(),
    tick: decimal(),
    rows: z.int().min(1).max(50).optional().describe('20 unless given'),
  }),
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/trade-tape/TradeTape.tsx')).TradeTape })),
})
