import { defineWidget } from '#renderer/widget-api.ts'
import { Card } from '#widgets/card/Card.tsx'
import { cardProps } from '#widgets/card/card.props.ts'

export const card = defineWidget({
  type: 'card',
  props: cardProps,
  events: ['press'],
  slots: { body: {} },
  states: { loading: 'self', error: 'self' },
  view: Card,
})
