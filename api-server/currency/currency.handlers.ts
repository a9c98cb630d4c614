import type { Currency } from '#api-server/currency/currency.store.ts'
import type { walletCalls } from '#contract/wallet.calls.ts'
import type { Clock } from '#server-kit/clock.ts'
import type { Handlers } from '#server-kit/http.ts'

/** Currencies hardly ever change; another node's change is seen after this long. */
const keptMs = 60_000

/** Last price of an instrument, undefined when there is none yet. */
export type LastPrice = (symbol: string) => string | undefined

export function currencyHandlers(
  list: () => Promise<Currency[]>,
  lastPrice: LastPrice,
  clock: Clock,
): Pick<Handlers<typeof walletCalls>, 'currency.list'> {
  let kept: { rows: Promise<Currency[]>; at: number } | undefined
  const currencies = () => {
    if (kept && Math.abs(clock.now() - kept.at) <= keptMs) return kept.rows
    const rows = list()
    const mine = { rows, at: clock.now() }
    kept = mine
    rows.catch(() => {
      if (kept === mine) kept = undefined
    })
    return rows
  }
  return {
    'currency.list': async () => ({
      list: (await currencies()).map(({ id, code, name, scale, status, chains, priceSymbol }) => ({
        ...{ id, name, currency_code: code, sub_name: chains, status, scale },
        rate: priceSymbol === null ? '1' : (lastPrice(priceSymbol) ?? '0'),
      })),
    }),
  }
}
