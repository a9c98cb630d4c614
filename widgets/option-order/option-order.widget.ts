import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { optionOrderProps } from '#widgets/option-order/option-order.props.ts'

export const optionOrder = defineWidget({
  type: 'option-order',
  props: optionOrderProps,
  events: ['press'],
  states: { loading: 'skeleton', error: 'card' },
  view: lazyView(async () => ({ default: (await import('#widgets/option-order/OptionOrder.tsx')).OptionOrder })),
})
