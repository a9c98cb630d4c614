import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { priceFieldProps } from '#widgets/price-field/price-field.props.ts'

export const priceField = defineWidget({
  type: 'price-field',
  props: priceFieldProps,
  states: { loading: 'self', error: 'none' },
  view: lazyView(async () => ({ default: (await import('#widgets/price-field/PriceField.tsx')).PriceField })),
})
