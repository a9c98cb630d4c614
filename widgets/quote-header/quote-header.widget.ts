import * as z from 'zod'
import { listing } from '#contract/market.calls.ts'
import { defineWidget } from '#renderer/widget-api.ts'
import { QuoteHeader } from '#widgets/quote-header/QuoteHeader.tsx'

export const quoteHeader = defineWidget({
  type: 'quote-header',
  props: z.object({ listing }),
  states: { loading: 'self' },
  view: QuoteHeader,
})
