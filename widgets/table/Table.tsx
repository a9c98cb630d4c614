import { lazy, type ViewProps } from '#renderer/widget-api.ts'
import { SkeletonShape } from '#widgets/parts/look/SkeletonShape.tsx'
import styles from '#widgets/table/Table.module.css'
import type { TableProps } from '#widgets/table/table.props.ts'

const plainRowsMax = 60
const WindowedBody = lazy(
  () => import('#widgets/table/WindowedBody.tsx'),
  ({ rows }) => <tbody>{Array.from({ length: plainRowsMax }, (_, i) => rows.render(i))}</tbody>,
)

/** Classes for end-aligned columns, so that a row needs no information about columns. */
const alignments = (columns: TableProps['columns']) =>
  columns.map((column, i) => (column.align === 'end' ? styles[`end${i + 1}`] : '')).join(' ')

export function Table({ root, props, status, slots }: ViewProps<TableProps, never, 'row'>) {
  const { columns, caption, windowed = true } = props
  const { row } = slots
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable with the keyboard
    <section {...root} className={styles.frame} aria-label={caption} tabIndex={0}>
      <table className={`${styles.table} ${alignments(columns)}`}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col">
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        {windowed && row.count > plainRowsMax ? <WindowedBody rows={row} /> : row.count > 0 && <tbody>{row.all()}</tbody>}
      </table>
      {status === 'loading' && row.count === 0 && <SkeletonShape shape="block" count={4} />}
    </section>
  )
}
