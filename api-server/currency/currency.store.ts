import { listMost } from '#contract/fields.ts'
import { type Database, takeTurnIn, write } from '#server-kit/db/db.ts'
import { checkMost } from '#server-kit/http/list-bounds.ts'

export interface Currency {
  id: number
  code: string
  name: string
  scale: number
  status: number
  priceSymbol: string | null
  chains: string[]
}

type Seed = readonly [id: number, code: string, name: string, scale: number, chains: readonly string[]]

/** Currencies of a new installation. Numbers are stable: add new currencies at the end. */
const seeds: readonly Seed[] = [
  [1, 'BTC', 'Bitcoin', 8, ['BTC']],
  [2, 'ETH', 'Ethereum', 8, ['ERC20']],
  [3, 'USDT', 'Tether', 8, ['ERC20', 'TRC20']],
  [4, 'SOL', 'Solana', 8, ['SOL']],
  [5, 'XRP', 'XRP', 6, ['XRP']],
  [6, 'BNB', 'BNB', 8, ['BEP20']],
  [7, 'DOGE', 'Dogecoin', 8, ['DOGE']],
]
const dollarCoin = 'USDT'

/** Stores the first currencies when there are none. @returns true when it stored them */
export async function seedCurrencies(database: Database): Promise<boolean> {
  return database.transaction(async (tx) => {
    await takeTurnIn(database, tx, 'seed')
    if (await tx.selectFrom('currency').select('id').limit(1).executeTakeFirst()) return false
    const rows = seeds.map(([id, code, name, scale], position) => ({
      id,
      code,
      name,
      scale,
      position,
      status: 1,
      price_symbol: code === dollarCoin ? null : `${code}${dollarCoin}`,
    }))
    const chains = seeds.flatMap(([currency_id, , , , names]) => names.map((chain, position) => ({ currency_id, chain, position })))
    await write(rows.length, tx.insertInto('currency').values(rows))
    await write(chains.length, tx.insertInto('currency_chain').values(chains))
    return true
  })
}

/** All currencies in their order, with their chains. */
export async function listCurrencies(database: Database): Promise<Currency[]> {
  return database.transaction(async (tx) => {
    const rows = await tx.selectFrom('currency').selectAll().orderBy('position').execute()
    checkMost(rows, listMost.currencies, 'currency')
    const chains = await tx.selectFrom('currency_chain').selectAll().orderBy('position').execute()
    return rows.map(({ id, code, name, scale, status, price_symbol }) => ({
      id,
      code,
      name,
      scale,
      status,
      priceSymbol: price_symbol,
      chains: chains.filter((row) => row.currency_id === id).map((row) => row.chain),
    }))
  })
}
