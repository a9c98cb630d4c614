import { feedLimits } from '#contract/feed.ts'
import type { Engine, FiatRate, Host } from '#renderer/engine/types.ts'
import type { Feed } from '#renderer/feed/feed.ts'

const dayMs = 86_400_000

type RatesHost = Pick<Host, 'device' | 'queries' | 'api' | 'wake'> & { engine: () => Pick<Engine, 'app'> }

/** Rate of the currency chosen on the device, from `wallet.getRateCurrency`. Loaded on first use, then once in `fiatCacheMs`, a day by default. */
export function createRates({ device, queries, api, wake, engine }: RatesHost): FiatRate {
  const queryKey = ['fiat-rates']
  device.onChange('fiat', () => wake('session.fiat'))
  return () => {
    const code = String(device.get('fiat') ?? 'USD')
    if (code === 'USD') return undefined
    const known = queries.getQueryData<{ list: { currency_code: string; rate: string }[] }>(queryKey)
    const staleTime = Number(engine().app().constants.fiatCacheMs ?? dayMs)
    if (!known && !queries.isFetching({ queryKey })) {
      void queries
        .fetchQuery({ queryKey, staleTime, queryFn: () => api.call('wallet.getRateCurrency', {}) })
        .then(() => wake('session.fiat'))
        .catch(() => undefined)
    }
    const rate = known?.list.find((row) => row.currency_code === code)?.rate
    return rate === undefined ? undefined : { code, rate }
  }
}

/** By then the drawn rows have subscribed their own quotes. */
const heldMs = 5_000

/**
 * Subscribes quotes of the instruments in an answer, so that they arrive before the rows are drawn.
 * @param data answer of a call: `{ list: [{ symbol, quote24h }] }`; any other answer has no effect
 */
export function wantListed(feed: Pick<Feed, 'wantQuotes'>, data: unknown, later: (run: () => void, ms: number) => void): void {
  const list = (data as { list?: unknown } | null)?.list
  if (!Array.isArray(list)) return
  const symbols = list
    .slice(0, feedLimits.subscriptionsMax)
    .flatMap((row) => (row?.quote24h && typeof row.symbol === 'string' ? [row.symbol] : []))
  if (symbols.length > 0) later(feed.wantQuotes(symbols), heldMs)
}
