import { defineWidget } from '#renderer/widget-api.ts'
import { Price } from '#widgets/price/Price.tsx'
import { priceProps } from '#widgets/price/price.props.ts'

export const price = defineWidget({
  type: 'price',
  props: priceProps,
  states: { loading: 'self', error: 'none' },
  view: Price,
})
