import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { shareCardProps } from '#widgets/share-card/share-card.props.ts'

export const shareCard = defineWidget({
  type: 'share-card',
  props: shareCardProps,
  label: 'label',
  states: { loading: 'skeleton', error: 'card' },
  view: lazyView(async () => ({ default: (await import('#widgets/share-card/ShareCard.tsx')).ShareCard })),
})
