import { countingTerms, walletTerms } from '#api-server/wallet/wallet.terms.ts'
import type { Database, Tx } from '#server-kit/db/db.ts'

/** Limits of an identity level. Exact decimal text. */
interface LevelLimits {
  level: number
  /** Withdrawals within any 24 hours, in BTC. */
  limit_btc: string
  /** One withdrawal to a bank, in USD. */
  order_limit_usd: string
}

/** Returns the limits of all levels, lowest first, for other modules. */
export const readLimits = async (database: Database, tx?: Tx): Promise<LevelLimits[]> =>
  (await countingTerms(database, walletTerms.level, tx)).map(({ key, ...limits }) => ({ level: Number(key), ...limits }))

/** @throws Error for a level without terms */
export async function limitsOf(database: Database, level: number, tx?: Tx): Promise<LevelLimits> {
  const found = (await readLimits(database, tx)).find((row) => row.level === level)
  if (!found) throw new Error(`level ${level} has no limits`)
  return found
}
