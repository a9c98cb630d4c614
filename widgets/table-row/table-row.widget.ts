import { defineWidget } from '#renderer/widget-api.ts'
import { TableRow } from '#widgets/table-row/TableRow.tsx'
import { tableRowProps } from '#widgets/table-row/table-row.props.ts'

export const tableRow = defineWidget({
  type: 'table-row',
  props: tableRowProps,
  states: { loading: 'none', error: 'none' },
  view: TableRow,
})
