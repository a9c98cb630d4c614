import { defineWidget, lazyView, unsized } from '#renderer/widget-api.ts'
import { orderBookProps } from '#widgets/order-book/order-book.props.ts'

export const orderBook = defineWidget({
  type: 'order-book',
  props: orderBookProps,
  events: ['price'],
  states: { loading: 'self', error: 'none' },
  view: lazyView(
    async () => ({ default: (await import('#widgets/order-book/OrderBook.tsx')).OrderBook }),
    () => unsized,
  ),
})
