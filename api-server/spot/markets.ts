import type { CurrencyReads } from '#api-server/currency/currency.reads.ts'
import type { SpotMarket } from '#api-server/spot/market.rules.ts'
import type { Trading } from '#api-server/trading/trading.ts'
import { ApiProblem } from '#contract/problem.ts'

/** Markets of spot trading, with the coins that change hands in them. */
export interface Markets {
  /** @throws ApiProblem('symbol_unknown') */
  one(symbol: string): Promise<SpotMarket>
  /** @throws ApiProblem currency_unknown, symbol_unknown, currency_closed */
  byCoins(baseId: number, quoteId: number): Promise<SpotMarket>
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
      for (const [coin, field] of [
        [base, 'currency_id'],
        [quote, 'legal_id'],
      ] as const)
        if (coin.status !== 1) throw new ApiProblem('currency_closed', { field })
      return one(symbol)
    },
  }
}
