import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { priceCheckProps } from '#widgets/price-check/price-check.props.ts'

export const priceCheck = defineWidget({
  type: 'price-check',
  props: priceCheckProps,
  states: { loading: 'skeleton', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/price-check/PriceCheck.tsx')).PriceCheck })),
})
