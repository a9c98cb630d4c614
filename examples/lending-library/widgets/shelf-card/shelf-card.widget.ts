import { ShelfCard } from '#examples/lending-library/widgets/shelf-card/ShelfCard.tsx'
import { shelfCardProps } from '#examples/lending-library/widgets/shelf-card/shelf-card.props.ts'
import { defineWidget } from '#renderer/widget-api.ts'

export const shelfCard = defineWidget({ type: 'shelf-card', props: shelfCardProps, events: ['press'], view: ShelfCard })
