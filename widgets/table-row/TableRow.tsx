import type { ViewProps } from '#renderer/widget-api.ts'
import type { TableRowProps } from '#widgets/table-row/table-row.props.ts'

/** Without hooks and styles, because a table has hundreds of rows. Cells are keyed by position. */
export function TableRow({ root, props }: ViewProps<TableRowProps>) {
  const { cells, price } = props
  const shown = new Array(cells.length)
  for (let i = 0; i < cells.length; i++)
    shown[i] =
      i === price ? (
        <td key={i} className="price">
          {cells[i]}
        </td>
      ) : (
        <td key={i}>{cells[i]}</td>
      )
  return <tr {...root}>{shown}</tr>
}
