import { defineWidget, type ViewProps } from '#renderer/widget-api.ts'
import { z } from '#zod'

/** A plain table and its rows: the list of the workload that all contestants draw. The product shows tables with record-table. */

const tableProps = z.object({ columns: z.array(z.object({ label: z.string() })), caption: z.string() })

function Table({ root, props, slots }: ViewProps<z.output<typeof tableProps>, never, 'row'>) {
  return (
    <section {...root} aria-label={props.caption}>
      <table>
        <thead>
          <tr>
            {props.columns.map(({ label }) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{slots.row.all()}</tbody>
      </table>
    </section>
  )
}

export const table = defineWidget({
  type: 'table',
  props: tableProps,
  slots: { row: { allow: ['table-row'] } },
  label: 'caption',
  states: { loading: 'self', error: 'card' },
  view: Table,
})

const rowProps = z.object({
  cells: z.array(z.union([z.string(), z.number(), z.null()])),
  price: z.int().min(0).optional().describe('index of the cell with the price'),
})

/** Without hooks, because a table has hundreds of rows. Cells are keyed by position. */
function TableRow({ root, props }: ViewProps<z.output<typeof rowProps>>) {
  return (
    <tr {...root}>
      {props.cells.map((cell, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a cell has no name but its position
        <td key={at} className={at === props.price ? 'price' : undefined}>
          {cell}
        </td>
      ))}
    </tr>
  )
}

export const tableRow = defineWidget({
  type: 'table-row',
  props: rowProps,
  states: { loading: 'none', error: 'none' },
  view: TableRow,
})
