import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { dealCardProps } from '#widgets/deal-card/deal-card.props.ts'

export const dealCard = defineWidget({
  type: 'deal-card',
  props: dealCardProps,
  states: { loading: 'skeleton', error: 'card' },
  view: lazyView(async () => ({ default: (await import('#widgets/deal-card/DealCard.tsx')).DealCard })),
})
