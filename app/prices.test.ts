import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createRates, wantListed } from '#app/prices.ts'
import { feedLimits } from '#contract/feed.ts'

describe('rates', () => {
  const hourMs = 3_600_000
  const start = 1_790_000_000_000
  beforeEach(() => {
    vi.useFakeTimers({ now: start })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** One load of the page on a device; EUR is chosen unless said. */
  function load(kept: Map<string, string>, answer: () => Promise<unknown>, { fiat = 'EUR', constants = {} as object } = {}) {
    const chosen = { fiat }
    const wakes: string[] = []
    const call = vi.fn(answer)
    const rates = createRates({
      device: {
        get: () => chosen.fiat,
        kept: (name: string) => kept.get(name) ?? null,
        keep: (name: string, text: string) => void kept.set(name, text),
        onChange: () => () => undefined,
      },
      api: { call },
      wake: (topic: string) => wakes.push(topic),
      engine: () => ({ app: () => ({ constants }), clock: { now: () => Date.now() } }),
    } as never)
    return { rates, call, chosen, wakes, settle: () => vi.advanceTimersByTimeAsync(0) }
  }
  const list = [
    { currency_code: 'EUR', rate: '0.9' },
    { currency_code: 'JPY', rate: '150' },
  ]
  const works = async () => ({ base: 'USD', saveTime: start - 5_000, list })
  const fails = async () => Promise.reject(new Error('no network'))
  const euro = { code: 'EUR', rate: '0.9', saveTime: start - 5_000 }

  test('are asked for once in a day, across loads of the page, and kept with their time', async () => {
    const kept = new Map<string, string>()
    const first = load(kept, works)
    expect([first.rates(), first.rates()]).toEqual([
      { code: 'EUR', rate: undefined, saveTime: undefined },
      { code: 'EUR', rate: undefined, saveTime: undefined },
    ])
    await first.settle()
    expect([first.rates(), first.call.mock.calls.length]).toEqual([euro, 1])
    expect(JSON.parse(kept.get('rates')!)).toEqual({ at: start, saveTime: start - 5_000, list })
    vi.setSystemTime(start + 23 * hourMs)
    const second = load(kept, works)
    expect([second.rates(), second.call.mock.calls.length]).toEqual([euro, 0])
    vi.setSystemTime(start + 24 * hourMs)
    expect([second.rates(), second.rates(), second.call.mock.calls.length]).toEqual([euro, euro, 1])
    second.chosen.fiat = 'JPY'
    expect(second.rates()?.rate).toBe('150')
  })
  test('after a reload while they fail, the last ones serve, and are asked for again a minute later', async () => {
    const kept = new Map<string, string>()
    const first = load(kept, works)
    first.rates()
    await first.settle()
    vi.setSystemTime(start + 72 * hourMs)
    const second = load(kept, fails)
    expect(second.rates()).toEqual(euro)
    await second.settle()
    expect([second.rates(), second.call.mock.calls.length]).toEqual([euro, 1])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(second.wakes).toEqual(['session.fiat'])
    expect([second.rates(), second.call.mock.calls.length]).toEqual([euro, 2])
  })
  test('without any rate, and for a currency that has none, no amount passes for one', async () => {
    const { rates, settle } = load(new Map(), fails)
    expect(rates()).toEqual({ code: 'EUR', rate: undefined, saveTime: undefined })
    await settle()
    expect(rates()?.rate).toBeUndefined()
    const other = load(new Map([['rates', JSON.stringify({ at: start, saveTime: start, list })]]), works, { fiat: 'XAF' })
    expect([other.rates(), other.call.mock.calls.length]).toEqual([{ code: 'XAF', rate: undefined, saveTime: start }, 0])
  })
  test.each(['{', 'null', '{"at":1}', '[]', '{"at":"x","saveTime":1,"list":[]}', `{"at":${start + hourMs},"saveTime":1,"list":[]}`])(
    'what the device keeps and cannot be (%s) is asked for anew',
    async (text) => {
      const one = load(new Map([['rates', text]]), works)
      one.rates()
      await one.settle()
      expect([one.rates(), one.call.mock.calls.length]).toEqual([euro, 1])
    },
  )
  test('the app document says for how long they hold; dollars need none', async () => {
    const kept = new Map([['rates', JSON.stringify({ at: start - 6_000, saveTime: start, list })]])
    const short = load(kept, works, { constants: { fiatCacheMs: 5_000 } })
    short.rates()
    expect(short.call).toHaveBeenCalledTimes(1)
    const dollars = load(new Map(), works, { fiat: 'USD' })
    expect([dollars.rates(), dollars.call.mock.calls.length]).toEqual([undefined, 0])
  })
})

const row = (symbol: unknown) => ({ symbol, quote24h: { last: '1' } })

function wanted(data: unknown) {
  const subscribed: string[] = []
  const waiting: [() => void, number][] = []
  const feed = {
    wantQuotes(symbols: readonly string[] | 'all') {
      subscribed.push(`want ${symbols}`)
      return () => void subscribed.push('let go')
    },
  }
  wantListed(feed, data, (run, ms) => waiting.push([run, ms]))
  return { subscribed, waiting }
}

test('instruments of an answer are subscribed, and unsubscribed some seconds later', () => {
  const { subscribed, waiting } = wanted({ list: [row('BTCUSDT'), row('XAUUSDT')] })
  expect(subscribed).toEqual(['want BTCUSDT,XAUUSDT'])
  expect(waiting.map(([, ms]) => ms >= 1_000 && ms <= 10_000)).toEqual([true])
  waiting[0]![0]()
  expect(subscribed.at(-1)).toBe('let go')
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
  expect(wanted(data)).toEqual({ subscribed: [], waiting: [] })
})

test('never more than the server allows for one page', () => {
  const { subscribed } = wanted({ list: Array.from({ length: feedLimits.subscriptionsMax + 50 }, (_, i) => row(`S${i}`)) })
  expect(subscribed[0]!.split(',')).toHaveLength(feedLimits.subscriptionsMax)
})
