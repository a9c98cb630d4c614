import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { listing } from '#widgets/parts/rows/listing.ts'
import { z } from '#zod'

export const quoteHeader = defineWidget({
  type: 'quote-header',
  props: z.object({ listing }),
  states: { loading: 'self' },
  view: lazyView(async () => ({ default: (await import('#widgets/quote-header/QuoteHeader.tsx')).QuoteHeader })),
})
