/** A cell of the list of texts: row and language, both from 0. */
export interface CellPlace {
  row: number
  column: number
}

/** Where a key leads from a cell; undefined for keys that do not move. Nothing lies beyond the edges. */
export function cellAfter(key: string, from: CellPlace, rows: number, columns: number): CellPlace | undefined {
  const { row, column } = from
  const to: Record<string, CellPlace> = {
    ArrowUp: { row: row - 1, column },
    ArrowDown: { row: row + 1, column },
    ArrowLeft: { row, column: column - 1 },
    ArrowRight: { row, column: column + 1 },
    Home: { row, column: 0 },
    End: { row, column: columns - 1 },
  }
  if (!Object.hasOwn(to, key)) return undefined
  const next = to[key] as CellPlace
  return { row: Math.min(Math.max(next.row, 0), rows - 1), column: Math.min(Math.max(next.column, 0), columns - 1) }
}
