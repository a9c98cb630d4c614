import type { FiatRate, Host } from '#renderer/engine/types.ts'

const dayMs = 86_400_000

/** Rate of the fiat that the device has chosen, from `wallet.getRateCurrency`. Loaded once a day, and only when somebody asks. */
export function createRates({ device, queries, api, wake }: Pick<Host, 'device' | 'queries' | 'api' | 'wake'>): FiatRate {
  const queryKey = ['fiat-rates']
  device.onChange('fiat', () => wake('session.fiat'))
  return () => {
    const code = String(device.get('fiat') ?? 'USD')
    if (code === 'USD') return undefined
    const known = queries.getQueryData<{ list: { currency_code: string; rate: string }[] }>(queryKey)
    if (!known && !queries.isFetching({ queryKey })) {
      void queries
        .fetchQuery({ queryKey, staleTime: dayMs, queryFn: () => api.call('wallet.getRateCurrency', {}) })
        .then(() => wake('session.fiat'))
        .catch(() => undefined)
    }
    const rate = known?.list.find((row) => row.currency_code === code)?.rate
    return rate === undefined ? undefined : { code, rate }
  }
}
