import { defineWidget, lazyView } from '#renderer/widget-api.ts'
import { recordTableProps } from '#widgets/record-table/record-table.props.ts'

export const recordTable = defineWidget({
  type: 'record-table',
  props: recordTableProps,
  events: ['select', 'more'],
  label: 'caption',
  states: { loading: 'self', error: 'card', stale: 'badge', empty: { prop: 'rows', by: 'self' } },
  view: lazyView(async () => ({ default: (await import('#widgets/record-table/RecordTable.tsx')).RecordTable })),
})
