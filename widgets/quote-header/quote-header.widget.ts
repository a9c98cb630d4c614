import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { quoteHeaderProps } from '#widgets/quote-header/quote-header.props.ts'

export const quoteHeader = defineWidget({
  type: 'quote-header',
  props: quoteHeaderProps,
  slots: { end: {} },
  states: { loading: 'self', without: ['listing'] },
  view: lazyView(
    async () => ({ default: (await import('#widgets/quote-header/QuoteHeader.tsx')).QuoteHeader }),
    ({ compact }) => ({ shape: compact ? 'bar' : 'lines' }),
  ),
})
