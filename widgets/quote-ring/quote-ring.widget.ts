import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { quoteRingProps } from '#widgets/quote-ring/quote-ring.props.ts'

export const quoteRing = defineWidget({
  type: 'quote-ring',
  props: quoteRingProps,
  events: ['done'],
  label: 'label',
  states: { loading: 'skeleton', error: 'card' },
  view: lazyView(async () => ({ default: (await import('#widgets/quote-ring/QuoteRing.tsx')).QuoteRing })),
})
