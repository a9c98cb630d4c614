import { defineWidget } from '#renderer/widget-api.ts'
import { List } from '#widgets/list/List.tsx'
import { listProps } from '#widgets/list/list.props.ts'

export const list = defineWidget({
  type: 'list',
  props: listProps,
  events: ['end'],
  slots: { row: { max: 1 }, empty: {} },
  states: { loading: 'self', error: 'self', stale: 'badge' },
  view: List,
})
