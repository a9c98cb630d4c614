import { expect, test } from 'vitest'
import { createRates, wantListed } from '#app/prices.ts'
import { feedLimits } from '#contract/feed.ts'

test('rates are loaded once in the time that the app document declares', async () => {
  const staleTimes: unknown[] = []
  const queries = {
    getQueryData: () => undefined,
    isFetching: () => 0,
    fetchQuery: async ({ staleTime }: { staleTime: number }) => void staleTimes.push(staleTime),
  }
  for (const constants of [{ fiatCacheMs: 5_000 }, {}]) {
    const engine = () => ({ app: () => ({ constants }) })
    const device = { get: () => 'EUR', onChange: () => () => undefined }
    const rates = createRates({ device, queries, engine, api: { call: async () => null }, wake: () => undefined } as never)
    expect(rates()).toBeUndefined()
  }
  expect(staleTimes).toEqual([5_000, 86_400_000])
})

const row = (symbol: unknown) => ({ symbol, quote24h: { last: '1' } })

function wanted(data: unknown) {
  const told: string[] = []
  const waiting: [() => void, number][] = []
  const feed = {
    wantQuotes(symbols: readonly string[] | 'all') {
      told.push(`want ${symbols}`)
      return () => void told.push('let go')
    },
  }
  wantListed(feed, data, (run, ms) => waiting.push([run, ms]))
  return { told, waiting }
}

test('instruments of an answer are subscribed, and unsubscribed some seconds later', () => {
  const { told, waiting } = wanted({ list: [row('BTCUSDT'), row('XAUUSDT')] })
  expect(told).toEqual(['want BTCUSDT,XAUUSDT'])
  expect(waiting.map(([, ms]) => ms >= 1_000 && ms <= 10_000)).toEqual([true])
  waiting[0]![0]()
  expect(told.at(-1)).toBe('let go')
})

test.each([
  null,
  undefined,
  'text',
  7,
  {},
  { list: 'BTCUSDT' },
  { list: {} },
  { list: [] },
  { list: [null, 1, 'BTCUSDT', { symbol: 'BTCUSDT' }, { nid: 1, title: 'news' }, row(7), row(undefined)] },
])('%j subscribes nothing', (data) => {
  expect(wanted(data)).toEqual({ told: [], waiting: [] })
})

test('never more than the server allows for one page', () => {
  const { told } = wanted({ list: Array.from({ length: feedLimits.subscriptionsMax + 50 }, (_, i) => row(`S${i}`)) })
  expect(told[0]!.split(',')).toHaveLength(feedLimits.subscriptionsMax)
})
