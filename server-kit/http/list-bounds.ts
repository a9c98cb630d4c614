import { ApiProblem } from '#contract/problem.ts'

/** A list ends here: later rows are not read, and its total says no more. */
export const countMax = 10_000

/**
 * Where a page of a list begins.
 * @param page starts at 1
 * @throws ApiProblem range_too_wide, at the field `page`
 */
export function offsetOf({ page, size }: { page: number; size: number }): { offset: number; size: number } {
  const offset = (page - 1) * size
  if (offset >= countMax) throw new ApiProblem('range_too_wide', { field: 'page' })
  return { offset, size }
}

/**
 * Refuses a range whose end lies before its beginning. Either end may be left out.
 * @param range ms UTC
 * @throws ApiProblem range_reversed, at the field `to`
 */
export function checkTimeRange({ from, to }: { from?: number | undefined; to?: number | undefined }): void {
  if (from !== undefined && to !== undefined && from > to) throw new ApiProblem('range_reversed', { field: 'to' })
}

/**
 * Checks a table that answers give whole, with no page: the contract names the most rows of such a list.
 * @throws Error with the table and both numbers
 */
export function checkMost(rows: readonly unknown[], most: number, table: string): void {
  if (rows.length > most)
    throw new Error(`the table "${table}" has ${rows.length} rows; answers list ${most} at most (listMost in contract/fields.ts)`)
}
