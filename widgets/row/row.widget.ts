import { defineWidget } from '#renderer/widget-api.ts'
import { Row } from '#widgets/row/Row.tsx'
import { rowProps } from '#widgets/row/row.props.ts'

export const row = defineWidget({
  type: 'row',
  props: rowProps,
  events: ['press'],
  label: 'title',
  states: { loading: 'self', error: 'none' },
  view: Row,
})
