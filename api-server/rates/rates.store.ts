import type { Fiat, StoredRates } from '#api-server/rates/rates.rules.ts'
import { type Database, takeTurnIn, write, writeAny } from '#server-kit/db/db.ts'

export interface RatesStore {
  read(): Promise<StoredRates | undefined>
  /** Replaces the whole table. */
  replace(rates: StoredRates): Promise<void>
}

export function createRatesStore(database: Database): RatesStore {
  return {
    async read() {
      const rows = await database.db.selectFrom('fiat_rate').selectAll().orderBy('position').execute()
      const first = rows[0]
      if (!first) return undefined
      const list = rows.map((row) => ({ currency_code: row.currency_code as Fiat, rate: row.rate }))
      return { list, source: first.source, fetchedAt: first.fetched_at }
    },
    async replace({ list, source, fetchedAt }) {
      await database.transaction(async (tx) => {
        await takeTurnIn(database, tx, 'rates')
        await writeAny(tx.deleteFrom('fiat_rate'))
        const rows = list.map((rate, position) => ({ ...rate, source, fetched_at: fetchedAt, position }))
        await write(rows.length, tx.insertInto('fiat_rate').values(rows))
      })
    },
  }
}
