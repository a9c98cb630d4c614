import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { ApiProblem } from '#contract/problem.ts'
import type { Db, Tx } from '#server-kit/db/db.ts'

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

/** A page by its number, from 1, or by where it begins. */
export type PageAsk = { size: number } & ({ page: number } | { offset: number })

/** How many rows a query finds. @param most the count ends here; all are counted unless said */
export async function countOf<DB, TB extends keyof DB, Row>(db: Db | Tx, found: SelectQueryBuilder<DB, TB, Row>, most?: number) {
  const all = found.clearSelect().clearOrderBy().select(sql<number>`1`.as('one'))
  return rowsIn(db, sql`${most === undefined ? all : all.limit(most)}`)
}

/** How many rows a query in SQL finds. */
export async function rowsIn(db: Db | Tx, found: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${found}) found`.execute(db)
  return rows[0]!.n
}

/**
 * Reads a page of a list, and counts the list.
 * @param found the whole list, in its order
 * @param most the count ends here; null counts all
 */
export async function pageOf<DB, TB extends keyof DB, Row>(
  db: Db | Tx,
  found: SelectQueryBuilder<DB, TB, Row>,
  page: PageAsk,
  most: number | null = countMax,
): Promise<{ rows: Row[]; total: number }> {
  const offset = 'offset' in page ? page.offset : (page.page - 1) * page.size
  const rows = await found.offset(offset).limit(page.size).execute()
  return { rows, total: await countOf(db, found, most ?? undefined) }
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
