import type { Database, Tx } from '#server-kit/db/db.ts'

/** What a level of identity may do. Exact decimals. */
export interface LevelLimits {
  level: number
  /** Withdrawals within any 24 hours. */
  limit_btc: string
  /** One order to a bank. */
  order_limit_usd: string
}

/** What other modules may know of limits; every level, lowest first. */
export const readLimits = (database: Database, tx?: Tx): Promise<LevelLimits[]> =>
  (tx ?? database.db).selectFrom('wallet_level').selectAll().orderBy('level').execute()

/** @throws Error for a level that has no row */
export async function limitsOf(database: Database, level: number, tx?: Tx): Promise<LevelLimits> {
  const found = (await readLimits(database, tx)).find((row) => row.level === level)
  if (!found) throw new Error(`level ${level} has no limits`)
  return found
}
