import { defineWidget } from '#renderer/widget-api.ts'
import { ErrorCard } from '#widgets/error/ErrorCard.tsx'
import { errorProps } from '#widgets/error/error.props.ts'

export const error = defineWidget({
  type: 'error',
  props: errorProps,
  events: ['retry'],
  view: ErrorCard,
})
