import type { ReactNode } from 'react'
import styles from '#console/parts/layout/Table.module.css'
import { classes } from '#widgets/parts/look/classes.ts'

interface Column<T> {
  id: string
  head: ReactNode
  cell: (row: T) => ReactNode
  /** Aligns figures to the right. */
  end?: boolean
  /** Takes the remaining width. */
  grow?: boolean
  /** Row header for screen readers; first and bold on a phone. */
  main?: boolean
}
interface TableProps<T> {
  label: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf: (row: T) => string | number
  onOpen?: (row: T) => void
}

/** A table with column headers; on a narrow screen each row becomes a card. */
export function Table<T>({ label, columns, rows, keyOf, onOpen }: TableProps<T>) {
  return (
    <div className={styles.frame}>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ id, head, end, grow }) => (
              <th key={id} scope="col" className={classes(end && styles.end, grow && styles.grow)}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className={onOpen && styles.open} onClick={onOpen && (() => onOpen(row))}>
              {columns.map(({ id, head, cell, end, grow, main }) =>
                main ? (
                  <th key={id} scope="row" className={classes(styles.main, grow && styles.grow)}>
                    {cell(row)}
                  </th>
                ) : (
                  <td
                    key={id}
                    className={classes(end && styles.end, grow && styles.grow)}
                    data-head={typeof head === 'string' ? head : undefined}
                  >
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
