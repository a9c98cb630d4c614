import { describe, expect, test, vi } from 'vitest'
import { createFakeFeed, quoteRow } from '#renderer/feed/feed-fixture.ts'

function connected(more: Parameters<typeof createFakeFeed>[0] = {}) {
  const fake = createFakeFeed(more)
  fake.feed.start()
  fake.accept()
  return fake
}
const quotes = (...data: unknown[]) => ({ action: 'getQuota', data })
const depth = (more: object) => ({ action: 'getDepth', symbol: 'BTCUSDT', epoch: 'e1', bids: [], asks: [], ts: 1, ...more })
const sentSince = (fake: ReturnType<typeof createFakeFeed>, from: number) =>
  fake
    .newest()
    .sent.slice(from)
    .map(({ message }) => message)

describe('quotes', () => {
  test('wake once per frame and only whom they concern', () => {
    const fake = connected()
    const btc = vi.fn()
    const eth = vi.fn()
    const any = vi.fn()
    fake.feed.onQuote('BTCUSDT', btc)
    fake.feed.onQuote('ETHUSDT', eth)
    fake.feed.onQuotes(any)
    for (let i = 1; i <= 500; i++) fake.newest().says(quotes(quoteRow('BTCUSDT', String(i), { seq: i })))
    expect(btc).not.toHaveBeenCalled()
    expect(fake.feed.quote('BTCUSDT')?.last).toBe('500')
    expect(fake.frame()).toBe(true)
    expect([btc.mock.calls.length, eth.mock.calls.length, any.mock.calls.length]).toEqual([1, 0, 1])
    expect(fake.frame()).toBe(false)
  })
  test('that nobody listens to ask for no frame', () => {
    const fake = connected()
    fake.frame()
    fake.newest().says(quotes(quoteRow('BTCUSDT', '1')))
    expect(fake.frame()).toBe(false)
    expect(fake.feed.quote('BTCUSDT')?.last).toBe('1')
  })
  test('readings keep their identity until something changes', () => {
    const fake = connected()
    fake.newest().says(quotes(quoteRow('BTCUSDT', '1'), quoteRow('ETHUSDT', '2')))
    const [row, list] = [fake.feed.quote('BTCUSDT'), fake.feed.quotes()]
    fake.newest().says({ ...quotes(quoteRow('BTCUSDT', '1')), full: true })
    expect(fake.feed.quote('BTCUSDT')).toBe(row)
    expect(fake.feed.quotes()).toBe(list)
    fake.newest().says(quotes(quoteRow('ETHUSDT', '3', { seq: 2 })))
    expect(fake.feed.quotes()).not.toBe(list)
    expect(fake.feed.quotes().map(({ last }) => last)).toEqual(['1', '3'])
  })
  const orders: [string, object, object, string][] = [
    ['an older number', { ts: 50, seq: 7 }, { ts: 50, seq: 6 }, 'first'],
    ['an older time', { ts: 50, seq: 7 }, { ts: 49, seq: 9 }, 'first'],
    ['a newer time with a smaller number (the server began anew)', { ts: 50, seq: 7 }, { ts: 51, seq: 1 }, 'second'],
  ]
  test.each(orders)('%s', (_, first, second, expected) => {
    const fake = connected()
    fake.newest().says(quotes(quoteRow('BTCUSDT', 'first', first)))
    fake.newest().says(quotes(quoteRow('BTCUSDT', 'second', second)))
    expect(fake.feed.quote('BTCUSDT')?.last).toBe(expected)
  })
  test.each([
    ['a whole list', (fake: ReturnType<typeof connected>) => fake.newest()],
    [
      'the first list of another connection',
      (fake: ReturnType<typeof connected>) => {
        fake.feed.reconnect()
        return fake.accept()
      },
    ],
  ])('%s counts whatever its numbers are', (name, act) => {
    const fake = connected()
    fake.newest().says(quotes(quoteRow('BTCUSDT', 'first', { ts: 50, seq: 7 })))
    act(fake).says({ ...quotes(quoteRow('BTCUSDT', 'second', { ts: 40, seq: 1 })), ...(name === 'a whole list' && { full: true }) })
    expect(fake.feed.quote('BTCUSDT')?.last).toBe('second')
  })
  test('a listener that has gone is not woken, whoever is left is', () => {
    const fake = connected()
    const [gone, left] = [vi.fn(), vi.fn()]
    const off = fake.feed.onQuote('BTCUSDT', gone)
    fake.feed.onQuote('BTCUSDT', left)
    fake.newest().says(quotes(quoteRow('BTCUSDT', '1')))
    off()
    fake.frame()
    expect([gone.mock.calls.length, left.mock.calls.length]).toEqual([0, 1])
  })
  test('names that objects inherit are ordinary names', () => {
    const fake = connected()
    fake.newest().says('{"action":"getQuota","data":[{"symbol":"__proto__","last":"1","ts":1,"seq":1}]}')
    expect(fake.feed.quote('__proto__')?.last).toBe('1')
    expect(fake.feed.quote('constructor')).toBeUndefined()
    expect(({} as Record<string, unknown>).last).toBeUndefined()
  })
})

test('a hidden tab paints nothing, keeps the state, and wakes each listener once when it is shown', () => {
  const fake = connected()
  const wake = vi.fn()
  fake.feed.onQuote('BTCUSDT', wake)
  fake.frame()
  fake.page.visible = false
  for (let i = 1; i <= 20; i++) fake.newest().says(quotes(quoteRow('BTCUSDT', String(i), { seq: i })))
  expect(fake.frame()).toBe(false)
  expect(fake.feed.quote('BTCUSDT')?.last).toBe('20')
  fake.page.visible = true
  fake.page.show()
  fake.frame()
  expect(wake).toHaveBeenCalledTimes(1)
})

describe('wants', () => {
  test('are counted, and what comes and goes within one task is never said', async () => {
    const fake = connected()
    const from = fake.newest().sent.length
    const first = fake.feed.wantQuotes(['BTCUSDT'])
    const second = fake.feed.wantQuotes(['BTCUSDT', 'ETHUSDT'])
    fake.feed.wantDepth('BTCUSDT')()
    await fake.settle()
    expect(sentSince(fake, from)).toEqual([{ action: 'getQuota', symbols: ['BTCUSDT', 'ETHUSDT'] }])
    first()
    first()
    await fake.settle()
    expect(sentSince(fake, from)).toHaveLength(1)
    second()
    await fake.settle()
    expect(sentSince(fake, from).slice(1)).toEqual([{ action: 'getQuota', off: true }])
  })
  test('all takes the place of names, and names of all', async () => {
    const fake = connected()
    const from = fake.newest().sent.length
    fake.feed.wantQuotes(['BTCUSDT'])
    const all = fake.feed.wantQuotes('all')
    await fake.settle()
    all()
    await fake.settle()
    await fake.pass(2_000)
    expect(sentSince(fake, from)).toEqual([{ action: 'getQuota' }, { action: 'getQuota', symbols: ['BTCUSDT'] }])
  })
  test('too many names become all, so that no message grows over 4 KB', async () => {
    const fake = connected()
    const from = fake.newest().sent.length
    fake.feed.wantQuotes(Array.from({ length: 300 }, (_, i) => `SYMBOLNUMBER${i}`))
    await fake.settle()
    expect(sentSince(fake, from)).toEqual([{ action: 'getQuota' }])
  })
  test('what nobody wants any more is ended and forgotten', async () => {
    const fake = connected()
    const offs = [fake.feed.wantDepth('BTCUSDT'), fake.feed.wantCandles('BTCUSDT', '1m')]
    await fake.settle()
    fake.newest().says(depth({ type: 'snap', seq: 1, bids: [['1', '1']] }))
    fake.newest().says({ action: 'kline', symbol: 'BTCUSDT', period: '1m', data: { time: 1, close: '1' } })
    const from = fake.newest().sent.length
    for (const off of offs) off()
    await fake.pass(3_000)
    expect(sentSince(fake, from)).toEqual([
      { action: 'getDepth', symbol: 'BTCUSDT', off: true },
      { action: 'kline', symbol: 'BTCUSDT', period: '1m', off: true },
    ])
    expect(fake.feed.depth('BTCUSDT')).toBeUndefined()
    expect(fake.feed.candle('BTCUSDT', '1m')).toBeUndefined()
    fake.newest().says(depth({ type: 'snap', seq: 2 }))
    expect(fake.feed.depth('BTCUSDT')).toBeUndefined()
  })
})

describe('books', () => {
  async function withBook() {
    const fake = connected()
    fake.feed.wantDepth('BTCUSDT')
    await fake.settle()
    fake.newest().says(depth({ type: 'snap', seq: 10, bids: [['100', '1']], asks: [['101', '2']] }))
    await fake.pass(5_000)
    return { ...fake, from: fake.newest().sent.length }
  }
  test('follow the deltas', async () => {
    const fake = await withBook()
    const wake = vi.fn()
    fake.feed.onDepth('BTCUSDT', wake)
    const trade = { id: '1', price: '100', size: '1', side: 'buy', ts: 1 }
    fake.newest().says(
      depth({
        type: 'delta',
        prev: 10,
        seq: 11,
        bids: [
          ['100', '0'],
          ['99', '4'],
        ],
        trades: [trade],
      }),
    )
    fake.frame()
    expect(fake.feed.depth('BTCUSDT')).toMatchObject({ bids: [['99', '4']], stale: false, seq: 11 })
    expect(fake.feed.trades('BTCUSDT')).toEqual([trade])
    expect(wake).toHaveBeenCalledTimes(1)
  })
  test('wake ten times a second at most, the first at once and always the last', async () => {
    const fake = await withBook()
    const seen: unknown[] = []
    fake.feed.onDepth('BTCUSDT', () => seen.push(fake.feed.depth('BTCUSDT')?.seq))
    for (let seq = 11; seq <= 30; seq++) {
      fake.newest().says(depth({ type: 'delta', prev: seq - 1, seq }))
      fake.frame()
      await fake.pass(16)
    }
    expect(seen).toEqual([11, 18, 25])
    while (fake.frame()) await fake.pass(16)
    expect(seen).toEqual([11, 18, 25, 30])
  })
  test('a gap marks the book and asks for one snapshot; nothing is applied until it comes', async () => {
    const fake = await withBook()
    fake.newest().says(depth({ type: 'delta', prev: 12, seq: 13, bids: [['1', '1']] }))
    fake.newest().says(depth({ type: 'delta', prev: 13, seq: 14, bids: [['2', '2']] }))
    fake.newest().says(depth({ type: 'delta', prev: 10, seq: 11, bids: [['3', '3']] }))
    expect(fake.feed.depth('BTCUSDT')).toMatchObject({ bids: [['100', '1']], stale: true })
    expect(sentSince(fake, fake.from)).toEqual([{ action: 'getDepth', symbol: 'BTCUSDT' }])
    fake.newest().says(depth({ type: 'snap', seq: 14, bids: [['2', '2']] }))
    expect(fake.feed.depth('BTCUSDT')).toMatchObject({ bids: [['2', '2']], stale: false })
    await fake.pass(10_000)
    expect(sentSince(fake, fake.from)).toHaveLength(1)
  })
  test('a lost snapshot is asked for again, not more often than every 2 s', async () => {
    const fake = await withBook()
    fake.newest().says(depth({ type: 'delta', prev: 12, seq: 13 }))
    await fake.pass(10_000)
    const asked = sentSince(fake, fake.from).length
    expect(asked).toBeGreaterThan(2)
    expect(asked).toBeLessThanOrEqual(6)
  })
  test('a lost connection makes every book stale until its snapshot', async () => {
    const fake = await withBook()
    fake.newest().closes(1006)
    expect(fake.feed.depth('BTCUSDT')?.stale).toBe(true)
    await fake.pass(2_000)
    fake.accept().says(depth({ type: 'snap', epoch: 'e2', seq: 1, bids: [['7', '1']] }))
    expect(fake.feed.depth('BTCUSDT')).toMatchObject({ stale: false, bids: [['7', '1']], epoch: 'e2' })
  })
})

describe('candles', () => {
  const candle = (time: number, close: string, final?: true) => ({
    action: 'kline',
    symbol: 'BTCUSDT',
    period: '1m',
    data: { time, open: '1', high: '1', low: '1', close, volume: '1' },
    ...(final && { final }),
  })
  test('the one that ended is not lost when the next comes in the same frame; an older one changes nothing', () => {
    const fake = connected()
    fake.feed.wantCandles('BTCUSDT', '1m')
    const wake = vi.fn()
    fake.feed.onCandle('BTCUSDT', '1m', wake)
    fake.newest().says(candle(60_000, '5', true))
    fake.newest().says(candle(120_000, '6'))
    fake.newest().says(candle(60_000, '9'))
    fake.frame()
    expect(wake).toHaveBeenCalledTimes(1)
    expect(fake.feed.candle('BTCUSDT', '1m')).toMatchObject({
      candle: { time: 120_000, close: '6' },
      final: false,
      closed: { time: 60_000, close: '5' },
    })
    expect(fake.feed.candle('BTCUSDT', '5m')).toBeUndefined()
  })
})
