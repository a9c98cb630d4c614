import { defineWidget } from '#renderer/widget-api.ts'
import { listing } from '#widgets/parts/listing.ts'
import { QuoteHeader } from '#widgets/quote-header/QuoteHeader.tsx'
import { z } from '#zod'

export const quoteHeader = defineWidget({
  type: 'quote-header',
  props: z.object({ listing }),
  states: { loading: 'self' },
  view: QuoteHeader,
})
