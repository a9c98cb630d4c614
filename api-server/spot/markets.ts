import type { CurrencyReads } from '#api-server/currency/currency.reads.ts'
import type { SpotMarket } from '#api-server/spot/market.rules.ts'
import type { Trading } from '#api-server/trading/trading.ts'
import { ApiProblem } from '#contract/problem.ts'

/** Markets of spot trading, with the coins that change hands in them. */
export interface Markets {
  /** @throws ApiProblem('symbol_unknown') */
  one(symbol: string): Promise<SpotMarket>
  /** @returns it, and which of its coins is closed: no new order may be made then @throws ApiProblem currency_unknown, symbol_unknown */
  byCoins(baseId: number, quoteId: number): Promise<{ market: SpotMarket; closed: 'currency_id' | 'legal_id' | undefined }>
  list(): Promise<SpotMarket[]>
}

export function createMarkets(coins: Pick<CurrencyReads, 'list' | 'one'>, trading: Trading): Markets {
  /** Instruments and coins of an order never change; a market that is known stays known. */
  const known = new Map<string, SpotMarket>()

  async function one(symbol: string): Promise<SpotMarket> {
    const market = known.get(symbol)
    if (market) return market
    if (!trading.symbols('spot').includes(symbol)) throw new ApiProblem('symbol_unknown', { field: 'symbol' })
    const { name, base, quote, tick, step } = trading.instrument(symbol)
    const list = await coins.list()
    const coin = (code: string) => {
      const found = list.find((row) => row.code === code)
      if (!found) throw new ApiProblem('symbol_unknown', { field: 'symbol' })
      return { id: found.id, code, scale: found.scale }
    }
    const made: SpotMarket = { symbol, name, tick, step, base: coin(base), quote: coin(quote) }
    const decimals = (text: string) => text.split('.')[1]?.length ?? 0
    if (decimals(step) > made.base.scale || decimals(tick) + decimals(step) > made.quote.scale)
      throw new Error(`spot: values of ${symbol} are finer than its coins`)
    known.set(symbol, made)
    return made
  }

  return {
    one,
    list: () => Promise.all(trading.symbols('spot').map(one)),
    async byCoins(baseId, quoteId) {
      const [base, quote] = [await coins.one(baseId, 'currency_id'), await coins.one(quoteId, 'legal_id')]
      const symbol = `${base.code}${quote.code}`
      if (!trading.symbols('spot').includes(symbol)) throw new ApiProblem('symbol_unknown', { field: 'currency_id' })
      const closed = base.status !== 1 ? 'currency_id' : quote.status !== 1 ? 'legal_id' : undefined
      return { market: await one(symbol), closed }
    },
  }
}
