import type { Currency } from '#api-server/currency/currency.store.ts'
import { ApiProblem } from '#contract/problem.ts'
import type { Clock } from '#server-kit/ops/clock.ts'

export type { Currency } from '#api-server/currency/currency.store.ts'

/** The coin of copy trading, OTC, and all that names no other. */
export const quoteCode = 'USDT'

/** Finds the coin of prices. @param code the quote coin of a market; OTC, copies and totals use the default */
export function quoteIn<C extends { code: string }>(coins: Iterable<C>, code = quoteCode): C | undefined {
  for (const coin of coins) if (coin.code === code) return coin
  return undefined
}
/** Lifetime of the cached currencies, which change rarely: a change by another node is visible after this time. */
const keptMs = 10_000

/** Price of one unit of a currency in USD, and the age of that price. */
interface UsdPrice {
  /** Exact decimal text above zero. */
  price: string
  ageMs: number
}

/** Reads of currencies for other modules. */
export interface CurrencyReads {
  /** All currencies in their order. */
  list(): Promise<Currency[]>
  /** @throws ApiProblem('currency_unknown') for `field` */
  one(id: number, field?: string): Promise<Currency>
  /**
   * The coin that something is quoted in.
   * @param code that of the instrument; USDT for what has none of its own
   * @throws ApiProblem('currency_unknown') for `field` when customers cannot hold it
   */
  quoteOf(code?: string, field?: string): Promise<Currency>
  /** The last price; undefined before the first. The age counts from its tick. */
  usd(currency: Pick<Currency, 'code' | 'priceSymbol'>): UsdPrice | undefined
  /** Overrides the price of a currency; undefined returns to the market price. For tests. */
  setUsd(code: string, price: string | undefined): void
}

interface CurrencyReadsDeps {
  list: () => Promise<Currency[]>
  clock: Clock
  /** Last price of an instrument; undefined before the first. */
  lastPrice: (symbol: string) => string | undefined
  /** Age of that price in ms. */
  quoteAge: (symbol: string) => number | undefined
}

export function createCurrencyReads({ list, clock, lastPrice, quoteAge }: CurrencyReadsDeps): CurrencyReads {
  const set = new Map<string, string>()
  let kept: { rows: Promise<Currency[]>; at: number } | undefined
  const currencies = () => {
    if (kept && Math.abs(clock.now() - kept.at) <= keptMs) return kept.rows
    const rows = list()
    const mine = { rows, at: clock.now() }
    kept = mine
    const forget = () => {
      if (kept === mine) kept = undefined
    }
    // An empty list is not kept: the database is being set up, while jobs of the server already ask.
    rows.then(({ length }) => length || forget(), forget)
    return rows
  }
  return {
    list: currencies,
    async one(id, field = 'currency_id') {
      const found = (await currencies()).find((row) => row.id === id)
      if (!found) throw new ApiProblem('currency_unknown', { field })
      return found
    },
    async quoteOf(code = quoteCode, field = 'legal_id') {
      const found = quoteIn(await currencies(), code)
      if (!found) throw new ApiProblem('currency_unknown', { field })
      return found
    },
    usd({ code, priceSymbol }) {
      const own = set.get(code)
      if (own !== undefined) return { price: own, ageMs: 0 }
      if (priceSymbol === null) return { price: '1', ageMs: 0 }
      const price = lastPrice(priceSymbol)
      return price === undefined ? undefined : { price, ageMs: quoteAge(priceSymbol) ?? Number.POSITIVE_INFINITY }
    },
    setUsd(code, price) {
      if (price === undefined) set.delete(code)
      else set.set(code, price)
    },
  }
}
