import { defineWidget } from '#renderer/widget-api.ts'
import { Empty } from '#widgets/empty/Empty.tsx'
import { emptyProps } from '#widgets/empty/empty.props.ts'

export const empty = defineWidget({
  type: 'empty',
  props: emptyProps,
  events: ['press'],
  view: Empty,
})
