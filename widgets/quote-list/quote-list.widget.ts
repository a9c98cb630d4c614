import { defineWidget } from '#renderer/widget-api.ts'
import { QuoteList } from '#widgets/quote-list/QuoteList.tsx'
import { quoteListProps } from '#widgets/quote-list/quote-list.props.ts'

export const quoteList = defineWidget({
  type: 'quote-list',
  props: quoteListProps,
  events: ['select', 'star', 'empty'],
  label: 'label',
  states: { loading: 'self', empty: { prop: 'rows', by: 'self' } },
  view: QuoteList,
})
