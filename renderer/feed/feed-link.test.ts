import { describe, expect, test } from 'vitest'
import { retryDelayMs } from '#renderer/calls/retry.ts'
import { createFakeFeed } from '#renderer/feed/feed-fixture.ts'
import { linkTimes } from '#renderer/feed/feed-link.ts'

/** How long after a moment the next socket was made, in steps of 10 ms. */
async function msUntilNext(fake: ReturnType<typeof createFakeFeed>, limitMs: number): Promise<number | undefined> {
  const before = fake.sockets.length
  for (let ms = 0; ms <= limitMs; ms += 10) {
    if (fake.sockets.length > before) return ms
    await fake.pass(10)
  }
  return undefined
}
const actions = (fake: ReturnType<typeof createFakeFeed>) => fake.newest().sent.map(({ message }) => message.action)

describe('waiting times', () => {
  const rows: [tries: number, random: number, ms: number][] = [
    [0, 0, 500],
    [0, 0.5, 1_000],
    [0, 1, 1_500],
    [1, 0, 1_000],
    [1, 1, 3_000],
    [2, 0, 1_667],
    [2, 1, 5_000],
    [50, 1, 5_000],
    [5_000, 0.5, 3_333],
  ]
  test.each(rows)('after %i failures with %d: %i ms', (tries, random, ms) => expect(retryDelayMs(tries, random)).toBe(ms))
})

describe('times that the app document declares', () => {
  test('silence, a try without an answer, and the wait before the next one', async () => {
    const constants = {
      heartbeatStaleMs: 70_000,
      socketConnectTimeoutMs: 30_000,
      reconnectDelayMs: 2_000,
      reconnectDelayMaxMs: 6_000,
      reconnectRandomization: 0,
    }
    const fake = createFakeFeed({ constants })
    fake.feed.start()
    fake.accept()
    await fake.pass(69_000)
    expect(fake.feed.health().state).toBe('connected')
    await fake.pass(1_000)
    expect(fake.feed.health().state).toBe('down')
    expect(await msUntilNext(fake, 10_000)).toBe(2_000)
    for (const waitMs of [4_000, 6_000, 6_000]) expect(await msUntilNext(fake, 50_000)).toBe(30_000 + waitMs)
  })
  test.each([0, -1, 'soon', null, Number.NaN])('a constant of %j leaves the times of the contract', (wrong) => {
    const names = ['heartbeatStaleMs', 'socketConnectTimeoutMs', 'reconnectDelayMs', 'reconnectDelayMaxMs']
    expect(linkTimes(Object.fromEntries(names.map((name) => [name, wrong])))).toEqual(linkTimes({}))
  })
})

describe('connecting', () => {
  test('the first message is checkToken with the token of that moment, never in the address', async () => {
    let token: string | undefined = 'first'
    const fake = createFakeFeed({ token: () => token })
    fake.feed.start()
    fake.accept()
    expect(fake.newest().sent[0]?.message).toEqual({
      action: 'checkToken',
      token: 'first',
      v: 2,
      caps: ['seq', 'trades', 'private', 'rows'],
    })
    token = 'second'
    fake.feed.reconnect()
    fake.accept()
    expect(fake.sockets).toHaveLength(2)
    expect(fake.sockets[0]?.closed).toBe(true)
    expect(fake.newest().sent[0]?.message).toMatchObject({ action: 'checkToken', token: 'second' })
    token = undefined
    fake.feed.reconnect()
    fake.accept()
    expect(fake.newest().sent[0]?.message).toEqual({ action: 'checkToken', v: 2, caps: ['seq', 'trades'] })
    expect(fake.sockets.map((socket) => socket.url)).toEqual(Array(3).fill('ws://test/ws'))
  })
  test('only the answer to checkToken makes it connected', () => {
    const fake = createFakeFeed()
    fake.feed.start()
    expect(fake.feed.health().state).toBe('connecting')
    fake.newest().opens()
    expect(fake.feed.health().state).toBe('connecting')
    fake.newest().says({ action: 'checkToken', data: { uid: '1', heartbeatMs: 1, epoch: 'e' } })
    expect(fake.feed.health().state).toBe('connected')
  })
  test('a refused token is told and public data goes on', () => {
    const fake = createFakeFeed({ token: () => 'old' })
    fake.feed.start()
    fake.newest().opens()
    fake.newest().says({ action: 'checkToken', error: 'unauthorized' })
    expect(fake.emitted).toEqual([{ event: 'auth', detail: { error: 'unauthorized' } }])
    expect(fake.feed.health().state).toBe('connected')
    expect(fake.sockets).toHaveLength(1)
  })
  test('starting twice makes one socket; a hidden page waits until it is shown', () => {
    const fake = createFakeFeed()
    fake.page.visible = false
    fake.feed.start()
    expect(fake.sockets).toHaveLength(0)
    fake.page.visible = true
    fake.page.show()
    fake.feed.start()
    expect(fake.sockets).toHaveLength(1)
  })
  test('stop closes, and nothing comes back', async () => {
    const fake = createFakeFeed()
    fake.feed.start()
    fake.accept()
    fake.feed.stop()
    await fake.pass(120_000)
    expect(fake.newest().closed).toBe(true)
    expect(fake.feed.health().state).toBe('down')
    expect(fake.sockets).toHaveLength(1)
    expect(fake.waiting()).toBe(0)
  })
})

describe('coming back', () => {
  test('the schedule doubles from 1 s and stays at its longest; one connect-error per outage', async () => {
    const fake = createFakeFeed()
    fake.feed.start()
    const waits: (number | undefined)[] = []
    for (let i = 0; i < 5; i++) {
      fake.newest().closes(1006)
      waits.push(await msUntilNext(fake, 10_000))
    }
    expect(waits).toEqual([1_000, 2_000, 3_340, 3_340, 3_340])
    expect(fake.emitted).toEqual([{ event: 'connect-error', detail: { reason: 'closed 1006' } }])
    fake.accept()
    fake.newest().closes(1006)
    expect(await msUntilNext(fake, 10_000)).toBe(1_000)
    fake.newest().closes(1006)
    expect(fake.emitted).toHaveLength(2)
  })
  test.each([
    [0, 500],
    [0.999, 1_500],
  ])('jitter %d gives %i ms', async (random, ms) => {
    const fake = createFakeFeed({ random: () => random })
    fake.feed.start()
    fake.accept()
    fake.newest().closes(1006)
    expect(await msUntilNext(fake, 10_000)).toBe(ms)
  })
  test('a socket that cannot even be made is a failed try', async () => {
    let made = 0
    const fake = createFakeFeed({
      createSocket: () => {
        made++
        throw new Error('blocked')
      },
    })
    fake.feed.start()
    await fake.pass(20_000)
    expect(made).toBeGreaterThan(5)
    expect(fake.emitted).toEqual([{ event: 'connect-error', detail: { reason: 'blocked' } }])
  })
  test.each([
    ['never opens', () => {}],
    ['opens but never answers checkToken', (fake: ReturnType<typeof createFakeFeed>) => fake.newest().opens()],
  ])('a connection that %s is given up after 20 s', async (_, act) => {
    const fake = createFakeFeed()
    fake.feed.start()
    act(fake)
    await fake.pass(19_990)
    expect(fake.newest().closed).toBe(false)
    await fake.pass(20)
    expect(fake.newest().closed).toBe(true)
    expect(await msUntilNext(fake, 2_000)).toBe(990)
  })
  test('silence of 40 s is an end, whatever came before keeps it alive', async () => {
    const fake = createFakeFeed()
    fake.feed.start()
    fake.accept()
    await fake.pass(39_000)
    fake.newest().says({ action: 'ping', ts: 1 })
    await fake.pass(39_500)
    expect(fake.sockets).toHaveLength(1)
    expect(fake.feed.health().state).toBe('connected')
    await fake.pass(1_000)
    expect(fake.feed.health().state).toBe('down')
    expect(await msUntilNext(fake, 2_000)).toBeLessThanOrEqual(1_500)
  })
  test('after it the wants are sent again, quotes with the connect flag, once', async () => {
    const fake = createFakeFeed()
    fake.feed.wantQuotes(['BTCUSDT'])
    fake.feed.wantDepth('BTCUSDT')
    fake.feed.wantCandles('BTCUSDT', '1m')
    fake.feed.start()
    fake.accept()
    expect(
      fake
        .newest()
        .sent.map(({ message }) => message)
        .slice(1),
    ).toEqual([
      { action: 'ping' },
      { action: 'getQuota', symbols: ['BTCUSDT'] },
      { action: 'getDepth', symbol: 'BTCUSDT' },
      { action: 'kline', symbol: 'BTCUSDT', period: '1m' },
    ])
    fake.newest().closes(1006)
    await fake.pass(1_010)
    fake.accept()
    await fake.pass(5_000)
    expect(
      fake
        .newest()
        .sent.map(({ message }) => message)
        .slice(1),
    ).toEqual([
      { action: 'ping' },
      { action: 'getQuota', symbols: ['BTCUSDT'], connect: true },
      { action: 'getDepth', symbol: 'BTCUSDT' },
      { action: 'kline', symbol: 'BTCUSDT', period: '1m' },
    ])
    fake.feed.wantQuotes(['ETHUSDT'])
    await fake.settle()
    expect(fake.newest().sent.at(-1)?.message).toEqual({ action: 'getQuota', symbols: ['BTCUSDT', 'ETHUSDT'] })
  })
  test('the old socket is not heard any more', () => {
    const fake = createFakeFeed()
    fake.feed.start()
    const old = fake.accept()
    fake.feed.reconnect()
    old.says('not json')
    old.closes(1006)
    expect(fake.emitted).toEqual([])
    expect(fake.feed.health().state).toBe('connecting')
    expect(fake.sockets).toHaveLength(2)
  })
  test.each([
    [0, 0],
    [0.5, 1_500],
    [0.9, 2_700],
  ])('a restart of the server spreads clients over its time (%d)', async (random, ms) => {
    const fake = createFakeFeed({ random: () => random })
    fake.feed.start()
    fake.accept()
    fake.newest().says({ action: 'ping', ts: 1, restart: 3_000 })
    await fake.settle()
    if (ms > 0) fake.newest().closes(1012)
    expect(Math.abs((await msUntilNext(fake, 5_000))! - ms)).toBeLessThanOrEqual(10)
  })
})

describe('asking whether it still lives', () => {
  const asks: [string, (fake: ReturnType<typeof createFakeFeed>) => void][] = [
    ['shown', (fake) => fake.page.show()],
    ['online', (fake) => fake.page.online()],
  ]
  test.each(asks)('%s: a ping; no answer in 2 s makes another connection', async (_, ask) => {
    const fake = createFakeFeed()
    fake.feed.start()
    fake.accept()
    fake.newest().says({ action: 'ping', ts: 1 })
    await fake.pass(5_000)
    ask(fake)
    ask(fake)
    expect(actions(fake).filter((action) => action === 'ping')).toHaveLength(2)
    await fake.pass(1_990)
    expect(fake.feed.health().state).toBe('connected')
    await fake.pass(20)
    expect(fake.feed.health().state).toBe('down')
  })
  test.each(asks)('%s: an answered ping changes nothing', async (_, ask) => {
    const fake = createFakeFeed()
    fake.feed.start()
    fake.accept()
    await fake.pass(5_000)
    ask(fake)
    await fake.pass(500)
    fake.newest().says({ action: 'ping', ts: 1 })
    await fake.pass(10_000)
    expect(fake.sockets).toHaveLength(1)
  })
  test('within 2 s even when the ping has to wait for its turn', async () => {
    const fake = createFakeFeed()
    fake.feed.start()
    fake.accept()
    fake.newest().says({ action: 'ping', ts: 1_000_000 })
    for (let i = 0; i < 9; i++) fake.feed.wantDepth(`SYM${i}`)
    await fake.settle()
    fake.page.online()
    expect(actions(fake).filter((action) => action === 'ping')).toHaveLength(1)
    await fake.pass(2_010)
    expect(actions(fake).filter((action) => action === 'ping')).toHaveLength(2)
    expect(fake.feed.health().state).toBe('down')
  })
  test('a try over a network that is gone ends 2 s after the change', async () => {
    const fake = createFakeFeed()
    fake.feed.start()
    await fake.pass(1_000)
    fake.page.online()
    await fake.pass(1_990)
    expect(fake.feed.health().state).toBe('connecting')
    await fake.pass(20)
    expect(fake.feed.health().state).toBe('down')
  })
  test('while it is down, the next try is now', async () => {
    const fake = createFakeFeed()
    fake.feed.start()
    fake.newest().closes(1006)
    fake.page.online()
    expect(fake.sockets).toHaveLength(2)
  })
  test('a try that is young is left alone, an old one begins anew', async () => {
    const fake = createFakeFeed()
    fake.feed.start()
    await fake.pass(1_000)
    fake.page.online()
    expect(fake.sockets).toHaveLength(1)
    await fake.pass(1_500)
    fake.page.online()
    expect(fake.sockets).toHaveLength(2)
  })
})

test('never more than five messages in any second, and all arrive in the end', async () => {
  const fake = createFakeFeed()
  fake.feed.start()
  fake.accept()
  const symbols = Array.from({ length: 20 }, (_, i) => `SYM${i}`)
  for (const symbol of symbols) {
    fake.feed.wantDepth(symbol)
    await fake.pass(7)
  }
  await fake.pass(10_000)
  const { sent } = fake.newest()
  expect(sent.filter(({ message }) => message.action === 'getDepth')).toHaveLength(20)
  for (const { at } of sent) expect(sent.filter((other) => other.at >= at && other.at < at + 1_000).length).toBeLessThanOrEqual(5)
})
