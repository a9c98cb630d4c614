type Cell = string | number | null

/** What a spreadsheet takes for a formula, also behind blanks that it skips. */
const formula = /^[\t\r\n]|^[\s\0]*[=+\-@]/
const decimal = /^-?\d+(\.\d+)?$/

/** One cell by RFC 4180. Text that a spreadsheet would run is put behind an apostrophe; numbers and decimal text stay as they are. */
export function cellOf(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = formula.test(value) && !decimal.test(value) ? `'${value}` : value
  return /[",;\r\n\t]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}

export const lineOf = (cells: readonly Cell[]): string => `${cells.map(cellOf).join(',')}\r\n`
