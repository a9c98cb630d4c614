import type { ViewProps } from '#renderer/widget-api.ts'
import type { TableRowProps } from '#widgets/table-row/table-row.props.ts'

/** No hook and no style of its own: hundreds of rows stand in a table. Cells have no identity but their place. */
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
