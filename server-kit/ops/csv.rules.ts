/** What spreadsheets take for the beginning of a formula. */
const formula = /^[=+\-@\t\r\n]/

const decimal = /^-?\d+(\.\d+)?$/

/** One cell by RFC 4180. Text that a spreadsheet would run is put behind an apostrophe; numbers stay as they are. */
export function cellOf(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  if (decimal.test(value)) return value
  const text = formula.test(value) || formula.test(value.trimStart()) ? `'${value}` : value
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}

export const lineOf = (cells: readonly (string | number | null)[]): string => `${cells.map(cellOf).join(',')}\r\n`
