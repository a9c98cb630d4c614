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

/** A list as a file of the day. @param cut there is more than these lines */
export const fileOf = (
  name: string,
  at: number,
  { titles, lines, cut }: { titles: readonly string[]; lines: readonly Cell[][]; cut: boolean },
) => ({
  name: `${name}-${new Date(at).toISOString().slice(0, 10)}.csv`,
  type: 'text/csv' as const,
  text: [titles, ...lines].map(lineOf).join(''),
  rows: lines.length,
  cut,
})
