/** One line of the bill, as the CSV shows it. */
export type Cell = string

/** Rows of one file. */
export const statementRowsMax = 5_000

const number = /^-?\d+(\.\d+)?$/
/** What a spreadsheet takes for a formula, also behind blanks that it skips. */
const formula = /^[\s\0]*[=+\-@]/

/** A cell that no spreadsheet runs: text that begins as a formula does gets a quote in front; a number is left alone. */
export function cellOf(text: Cell): string {
  const safe = formula.test(text) && !number.test(text) ? `'${text}` : text
  return /[",\r\n;\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** RFC 4180: lines end in CRLF. */
export const csvOf = (lines: readonly (readonly Cell[])[]): string => lines.map((line) => `${line.map(cellOf).join(',')}\r\n`).join('')
