import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { text } from '#widgets/parts/props.ts'
import { z } from '#zod'

export const quoteRing = defineWidget({
  type: 'quote-ring',
  props: z.object({
    label: text(),
    text: text().optional().describe('stands beside the ring: the rate'),
    of: z.string().describe('id of the offer: another one begins the ring anew'),
    ms: z.int().min(1_000).max(600_000).meta({ unit: 'ms' }).describe('how long an offer stands, from when it came'),
  }),
  events: ['done'],
  label: 'label',
  states: { loading: 'skeleton', error: 'card' },
  view: lazyView(async () => ({ default: (await import('#widgets/quote-ring/QuoteRing.tsx')).QuoteRing })),
})
