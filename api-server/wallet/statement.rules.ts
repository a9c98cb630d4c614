/** One cell of the statement's CSV file. */
export type Cell = string

/** Maximum number of rows in one file. */
export const statementRowsMax = 5_000

const number = /^-?\d+(\.\d+)?$/
/** Start of a formula in spreadsheets, also after whitespace that they skip. */
const formula = /^[\s\0]*[=+\-@]/

/** Protects against formula injection: text that starts like a formula gets a leading quote; numbers stay unchanged. */
export function cellOf(text: Cell): string {
  const safe = formula.test(text) && !number.test(text) ? `'${text}` : text
  return /[",\r\n;\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** CSV text by RFC 4180, with CRLF. */
export const csvOf = (lines: readonly (readonly Cell[])[]): string => lines.map((line) => `${line.map(cellOf).join(',')}\r\n`).join('')
