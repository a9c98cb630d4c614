import { describe, expect, test, vi } from 'vitest'
import { createFakeFeed, quoteRow } from '#renderer/feed/feed-fixture.ts'

function connected() {
  const fake = createFakeFeed()
  fake.feed.start()
  fake.accept()
  return fake
}
const quotes = (...data: unknown[]) => ({ action: 'getQuota', data })

describe('what cannot be understood', () => {
  const broken: [string, unknown][] = [
    ['an unknown action', { action: 'order', data: {} }],
    ['no action', {}],
    ['broken JSON', '{"action":"getQuota","data":['],
    ['a bare null', 'null'],
    ['a huge number for data', '{"action":"getQuota","data":1e999}'],
    ['a number for a price', quotes({ ...quoteRow('BTCUSDT', '1'), last: 5 })],
    ['a quote that is null', quotes(null)],
    ['a text of more than a megabyte', `"${'x'.repeat(1_100_000)}"`],
  ]
  test.each(broken)('%s is told once per connection, and the feed goes on', (_, message) => {
    const fake = connected()
    for (let i = 0; i < 5; i++) fake.newest().says(message)
    expect(fake.emitted.map(({ event }) => event)).toEqual(['invalid-message'])
    fake.newest().says(quotes(quoteRow('ETHUSDT', '2')))
    expect(fake.feed.quote('ETHUSDT')?.last).toBe('2')
    expect(fake.feed.health().state).toBe('connected')
    fake.feed.reconnect()
    fake.accept().says(message)
    expect(fake.emitted).toHaveLength(2)
  })
  test('binary data too', () => {
    const fake = connected()
    fake.newest().onmessage?.({ data: new ArrayBuffer(4) } as never)
    expect(fake.emitted.map(({ event }) => event)).toEqual(['invalid-message'])
  })
  test.each([{ action: 'ping', ts: 1 }, { action: 'bindUid' }, { action: 'ping', ts: 1, error: 'too_many_requests' }, { action: 'ping' }])(
    '%o is no such thing',
    (message) => {
      const fake = connected()
      fake.newest().says(message)
      expect(fake.emitted).toEqual([])
    },
  )
})

describe('age', () => {
  test('counts from receipt while the server clock is unknown', async () => {
    const fake = connected()
    fake.newest().says(quotes(quoteRow('BTCUSDT', '1', { ts: 5 })))
    await fake.pass(2_500)
    expect(fake.feed.age('BTCUSDT')).toBe(2_500)
    expect(fake.feed.age('ETHUSDT')).toBeUndefined()
  })
  test('uses the server clock, learned from a ping, however wrong ours is', async () => {
    const fake = createFakeFeed()
    fake.feed.start()
    fake.accept()
    await fake.pass(200)
    const serverNow = 9_000_000
    fake.newest().says({ action: 'ping', ts: serverNow })
    fake.newest().says(quotes(quoteRow('BTCUSDT', '1', { ts: serverNow - 4_000 })))
    expect(fake.feed.age('BTCUSDT')).toBe(4_100)
    await fake.pass(1_000)
    expect(fake.feed.age('BTCUSDT')).toBe(5_100)
  })
  test('a price from the future is as old as its receipt', async () => {
    const fake = connected()
    fake.newest().says({ action: 'ping', ts: 1_000 })
    fake.newest().says(quotes(quoteRow('BTCUSDT', '1', { ts: 999_999_999 })))
    await fake.pass(700)
    expect(fake.feed.age('BTCUSDT')).toBe(700)
  })
})

describe('the clock', () => {
  const farMs = 600_000
  const pings = (fake: ReturnType<typeof createFakeFeed>) => fake.newest().sent.filter(({ message }) => message.action === 'ping').length
  /** A connection whose clock is set; the server is `aheadMs` ahead of the device. */
  async function known(aheadMs = 0) {
    const fake = createFakeFeed()
    fake.feed.start()
    fake.accept()
    fake.newest().says({ action: 'ping', ts: fake.now() + aheadMs })
    await fake.pass(1_500)
    return fake
  }

  test.each([-farMs, -5_000, 5_000, farMs])(
    'a beat that is off by %d ms makes the app ask, and the answer sets the clock',
    async (byMs) => {
      const fake = await known()
      fake.newest().says({ action: 'ping', ts: fake.now() + byMs })
      expect(pings(fake)).toBe(2)
      await fake.pass(100)
      fake.newest().says({ action: 'ping', ts: fake.now() + byMs - 50 })
      expect(fake.clock.now() - fake.now()).toBe(byMs)
    },
  )
  test.each([-900, -200, 0])('one that was under way for some time (%d ms) asks nothing', async (byMs) => {
    const fake = await known()
    fake.newest().says({ action: 'ping', ts: fake.now() + byMs })
    expect(pings(fake)).toBe(1)
    expect(fake.clock.now()).toBe(fake.now())
  })
  test('after the server was set back, prices are as old as they are, and newer ones count though their times are earlier', async () => {
    const fake = await known()
    fake.feed.wantQuotes(['BTCUSDT'])
    await fake.settle()
    fake.newest().says(quotes(quoteRow('BTCUSDT', '1', { ts: fake.now(), seq: 1 })))
    fake.newest().says({ action: 'ping', ts: fake.now() - farMs })
    fake.newest().says({ action: 'ping', ts: fake.now() - farMs })
    await fake.settle()
    await fake.pass(1_200)
    expect(fake.newest().sent.at(-1)?.message).toMatchObject({ action: 'getQuota', connect: true })
    fake.newest().says(quotes(quoteRow('BTCUSDT', '2', { ts: fake.now() - farMs, seq: 2 })))
    expect(fake.feed.quote('BTCUSDT')?.last).toBe('2')
    await fake.pass(700)
    expect(fake.feed.age('BTCUSDT')).toBe(700)
  })
  test('a sleep is noticed by the device and makes the app ask; a clock that somebody sets changes no age', async () => {
    const fake = await known()
    fake.newest().says(quotes(quoteRow('BTCUSDT', '1', { ts: fake.now() })))
    fake.wall.setBy = -farMs
    await fake.pass(1_000)
    expect([fake.feed.age('BTCUSDT'), pings(fake)]).toEqual([1_000, 1])
    fake.wall.setBy += 30_000
    await fake.pass(1_000)
    await fake.settle()
    expect([fake.feed.age('BTCUSDT'), pings(fake)]).toEqual([32_000, 2])
  })
})

test('health keeps its identity between changes and is brought up to date once a second', async () => {
  const fake = connected()
  const wake = vi.fn()
  fake.feed.onHealth(wake)
  await fake.pass(1_000)
  const before = fake.feed.health()
  for (let i = 0; i < 50; i++) fake.newest().says({ action: 'ping', ts: 1 })
  expect(fake.feed.health()).toBe(before)
  await fake.pass(1_000)
  expect(fake.feed.health()).toEqual({ state: 'connected', lastMessageMs: fake.clock.elapsed() - 1_000 })
  fake.frame()
  expect(wake).toHaveBeenCalledTimes(1)
})
