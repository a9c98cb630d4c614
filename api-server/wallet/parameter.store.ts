import { createTermsStore } from '#api-server/kit/terms.ts'
import { countingTerms, walletTerms } from '#api-server/wallet/wallet.terms.ts'
import { withdrawChannels } from '#contract/calls/funding.calls.ts'
import { floorTo } from '#contract/money.ts'
import type { AddressKind } from '#contract/rules/chains.ts'
import { type Database, type Tx, takeTurnIn } from '#server-kit/db/db.ts'

interface CoinRules {
  /** Code. */
  currency: string
  exchange: boolean
  exchange_min: string
}
export interface Route {
  /** Code. */
  currency: string
  /** A chain of the currency, or bank, bank_international. */
  route: string
  address_kind: AddressKind | null
  recharge: boolean
  recharge_min: string
  withdraw: boolean
  withdraw_min: string
  fee: string
  fee_rate: string
}

/** Fees, minima and open currencies, as they count. Operators may change them at any time. */
export interface ParameterStore {
  coins(tx?: Tx): Promise<CoinRules[]>
  /** Routes of one currency by its code, in their order; without a code those of all currencies. */
  routes(currency?: string, tx?: Tx): Promise<Route[]>
  /** Of exchanges: the share that the platform keeps, and by how much the market may move from a quote. */
  exchange(): Promise<{ spread: string; tolerance: string }>
}

export function createParameterStore(database: Database): ParameterStore {
  return {
    async coins(tx) {
      const rows = await countingTerms(database, walletTerms.coin, tx)
      return rows.map(({ key, exchange, exchange_min }) => ({ currency: key, exchange: exchange === 'open', exchange_min }))
    },
    async routes(code, tx) {
      const rows = await countingTerms(database, walletTerms.route, tx)
      return rows
        .filter(({ currency }) => code === undefined || currency === code)
        .sort((a, b) => a.list_place - b.list_place)
        .map(({ address_kind: kind, recharge, withdraw, ...row }) => ({
          ...row,
          address_kind: kind === 'bank' ? null : kind,
          recharge: recharge === 'open',
          withdraw: withdraw === 'open',
        }))
    },
    exchange: async () => (await countingTerms(database, walletTerms.exchange))[0]!,
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

/** Stores default terms of currencies without any. @param at ms UTC @returns the number of those currencies */
export async function seedParameters(database: Database, at = 0): Promise<number> {
  const store = createTermsStore(database)
  return database.transaction(async (tx) => {
    await takeTurnIn(database, tx, 'seed')
    const known = new Set((await countingTerms(database, walletTerms.coin, tx)).map(({ key }) => key))
    const fresh = (await tx.selectFrom('currency').select(['code', 'scale']).execute()).filter(({ code }) => !known.has(code))
    const add = (product: string, key: string, terms: object) => store.add(tx, { product, key, version: 1, terms, changed_by: '', at })
    for (const { code, scale } of fresh) {
      const min = exchangeMin[code]
      await add('coin', code, { exchange: min === undefined ? 'closed' : 'open', exchange_min: floorTo(min ?? '0', scale) })
      const own = Object.entries(chains[code] ?? {}).map(([route, { kind, rechargeMin, withdrawMin, fee }]) => ({
        route,
        address_kind: kind,
        recharge: 'open',
        recharge_min: rechargeMin,
        withdraw_min: withdrawMin,
        fee,
        fee_rate: '0',
      }))
      const banks = withdrawChannels.flatMap((route) =>
        route === 'address' || code !== bankCoin
          ? []
          : {
              route,
              address_kind: 'bank',
              recharge: 'closed',
              recharge_min: '0',
              withdraw_min: bankMin,
              fee: bankFee[route],
              fee_rate: bankRate,
            },
      )
      for (const [place, row] of [...own, ...banks].entries())
        await add('route', `${code}_${row.route}`, { ...row, currency: code, withdraw: 'open', list_place: place + 1 })
    }
    return fresh.length
  })
}
