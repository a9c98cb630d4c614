import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { positionCardProps } from '#widgets/position-card/position-card.props.ts'

export const positionCard = defineWidget({
  type: 'position-card',
  props: positionCardProps,
  events: ['close', 'exits', 'margin', 'reverse', 'move', 'cancel', 'closings', 'share', 'symbol'],
  view: lazyView(async () => ({ default: (await import('#widgets/position-card/PositionCard.tsx')).PositionCard })),
})
