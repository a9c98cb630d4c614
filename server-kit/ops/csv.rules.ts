import { folded } from '#contract/text.ts'

type Cell = string | number | null

/** Start of a formula in spreadsheets, also after blanks and unseen signs that they skip. */
const formula = /^[\t\r\n]|^[\s\p{C}]*[=+\-@]/u
const decimal = /^-?\d+(\.\d+)?$/

/** One cell by RFC 4180. Protects against formula injection: text that starts like a formula, in full width too, gets a leading apostrophe; numbers stay unchanged. */
export function cellOf(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = formula.test(folded(value)) && !decimal.test(value) ? `'${value}` : value
  return /[",;\r\n\t]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}

export const lineOf = (cells: readonly Cell[]): string => `${cells.map(cellOf).join(',')}\r\n`

/** Rows of one file. */
export const exportRowsMax = 5_000
/** To be read for a file: one row more than it may have, so that it says that there are more. */
export const exportPage = { page: 1, offset: 0, size: exportRowsMax + 1 } as const

/**
 * A list as a file of the day, cut after `exportRowsMax` rows.
 * @param name of the file, to which the day and `.csv` are added
 * @param at ms UTC
 * @param rows as `exportPage` reads them
 * @param line the cells of a row, one for each title
 */
export function exportOf<Row>(
  name: string,
  at: number,
  rows: readonly Row[],
  { titles, line }: { titles: readonly string[]; line: (row: Row) => readonly Cell[] },
) {
  const lines = rows.slice(0, exportRowsMax).map((row) => {
    const cells = line(row)
    if (cells.length !== titles.length) throw new Error(`a row of ${name} has ${cells.length} cells, and ${titles.length} titles`)
    return cells
  })
  return {
    name: `${name}-${new Date(at).toISOString().slice(0, 10)}.csv`,
    type: 'text/csv' as const,
    text: [titles, ...lines].map(lineOf).join(''),
    rows: lines.length,
    cut: rows.length > lines.length,
  }
}
/** A moment as a cell, in UTC. @param at ms UTC */
export const timeCell = (at: number): string => new Date(at).toISOString()
