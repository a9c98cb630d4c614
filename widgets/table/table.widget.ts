import { defineWidget } from '#renderer/widget-api.ts'
import { Table } from '#widgets/table/Table.tsx'
import { tableProps } from '#widgets/table/table.props.ts'

export const table = defineWidget({
  type: 'table',
  props: tableProps,
  slots: { row: { allow: ['table-row'] } },
  label: 'caption',
  states: { loading: 'self', error: 'card', stale: 'badge' },
  view: Table,
})
