import type { RouteRow } from '#api-server/wallet/wallet.migration.ts'
import { withdrawChannels } from '#contract/calls/funding.calls.ts'
import { floorTo } from '#contract/money.ts'
import type { AddressKind } from '#contract/rules/chains.ts'
import { type Database, type Tx, takeTurnIn, write } from '#server-kit/db/db.ts'

interface CoinRules {
  currency_id: number
  exchange: boolean
  exchange_min: string
}

/** Fees, minima and open currencies. Operators of the database may change these rows at any time. */
export interface ParameterStore {
  coins(tx?: Tx): Promise<CoinRules[]>
  /** Routes of one currency, in their order; without a number those of all currencies. */
  routes(currency?: number, tx?: Tx): Promise<RouteRow[]>
  /** Of exchanges: the share that the platform keeps, and by how much the market may move from a quote. */
  exchange(): Promise<{ spread: string; tolerance: string }>
}

export function createParameterStore({ db }: Database): ParameterStore {
  return {
    coins: (tx) => (tx ?? db).selectFrom('wallet_coin').selectAll().execute(),
    routes(currency, tx) {
      const all = (tx ?? db).selectFrom('wallet_route').selectAll().orderBy('currency_id').orderBy('position')
      return (currency === undefined ? all : all.where('currency_id', '=', currency)).execute()
    },
    async exchange() {
      const rows = await db.selectFrom('wallet_setting').selectAll().execute()
      const of = (name: string) => rows.find((row) => row.name === name)!.value
      return { spread: of('exchange_spread'), tolerance: of('exchange_tolerance') }
    },
  }
}

interface Chain {
  kind: AddressKind
  rechargeMin: string
  withdrawMin: string
  fee: string
}
/** Defaults by currency and chain. */
const chains: Record<string, Record<string, Chain>> = {
  BTC: { BTC: { kind: 'bitcoin', rechargeMin: '0.0001', withdrawMin: '0.001', fee: '0.0002' } },
  ETH: { ERC20: { kind: 'evm', rechargeMin: '0.001', withdrawMin: '0.01', fee: '0.001' } },
  USDT: {
    ERC20: { kind: 'evm', rechargeMin: '10', withdrawMin: '20', fee: '4' },
    TRC20: { kind: 'tron', rechargeMin: '1', withdrawMin: '10', fee: '1' },
  },
  SOL: { SOL: { kind: 'solana', rechargeMin: '0.01', withdrawMin: '0.1', fee: '0.01' } },
  XRP: { XRP: { kind: 'xrp', rechargeMin: '1', withdrawMin: '20', fee: '0.2' } },
  BNB: { BEP20: { kind: 'evm', rechargeMin: '0.001', withdrawMin: '0.02', fee: '0.001' } },
  DOGE: { DOGE: { kind: 'dogecoin', rechargeMin: '10', withdrawMin: '40', fee: '5' } },
}
const exchangeMin: Record<string, string> = { BTC: '0.0001', ETH: '0.001', USDT: '1', SOL: '0.01', XRP: '1', BNB: '0.005', DOGE: '10' }
/** Banks pay USD for this currency: one unit is one dollar. */
const bankCoin = 'USDT'
const bankMin = '50'
const bankRate = '0.002'
const bankFee = { bank: '2', bank_international: '25' } as const

/** Stores default parameters for currencies without any. @returns the number of those currencies */
export async function seedParameters(database: Database): Promise<number> {
  return database.transaction(async (tx) => {
    await takeTurnIn(database, tx, 'seed')
    const known = new Set((await tx.selectFrom('wallet_coin').select('currency_id').execute()).map((row) => row.currency_id))
    const fresh = (await tx.selectFrom('currency').select(['id', 'code', 'scale']).execute()).filter(({ id }) => !known.has(id))
    if (!fresh.length) return 0
    const coins = fresh.map(({ id, code, scale }) => {
      const min = exchangeMin[code]
      return { currency_id: id, exchange: min !== undefined, exchange_min: floorTo(min ?? '0', scale) }
    })
    await write(coins.length, tx.insertInto('wallet_coin').values(coins))
    const routes = fresh.flatMap(({ id, code }) => {
      const own = Object.entries(chains[code] ?? {}).map(([route, { kind, rechargeMin, withdrawMin, fee }]) => ({
        currency_id: id,
        route,
        address_kind: kind,
        recharge: true,
        recharge_min: rechargeMin,
        withdraw: true,
        withdraw_min: withdrawMin,
        fee,
        fee_rate: '0',
      }))
      const banks = withdrawChannels.flatMap((route) =>
        route === 'address' || code !== bankCoin
          ? []
          : {
              currency_id: id,
              route,
              address_kind: null,
              recharge: false,
              recharge_min: '0',
              withdraw: true,
              withdraw_min: bankMin,
              fee: bankFee[route],
              fee_rate: bankRate,
            },
      )
      return [...own, ...banks].map((row, position) => ({ ...row, position }))
    })
    if (routes.length) await write(routes.length, tx.insertInto('wallet_route').values(routes))
    return fresh.length
  })
}
