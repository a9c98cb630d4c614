import { describe, expect, test } from 'vitest'
import type { Feed } from '#renderer/feed/feed.ts'
import { createLazyFeed } from '#renderer/feed/lazy-feed.ts'

/** A feed that records its calls. */
function noting() {
  const asked: string[] = []
  const note =
    (name: string) =>
    (...args: unknown[]) => {
      const what = [name, ...args.filter((arg) => typeof arg !== 'function')].join(' ')
      asked.push(what)
      return () => void asked.push(`end of ${what}`)
    }
  const feed = {
    start: note('start'),
    stop: note('stop'),
    quotes: () => ['quote'],
    wantQuotes: note('wantQuotes'),
    wantDepth: note('wantDepth'),
    onQuote: note('onQuote'),
    on: note('on'),
    health: () => ({ state: 'connected', lastMessageMs: 1 }),
  } as unknown as Feed
  let come = (_feed: Feed) => {}
  const late = createLazyFeed(() => new Promise((done) => (come = done)))
  async function arrive(): Promise<void> {
    come(feed)
    await Promise.resolve()
  }
  return { late, asked, arrive }
}

describe('before the code is here', () => {
  test('nothing is known, and lists keep their identity', () => {
    const { late } = noting()
    expect(late.quote('BTCUSDT')).toBeUndefined()
    expect(late.quotes()).toBe(late.quotes())
    expect(late.trades('BTCUSDT')).toEqual([])
    expect(late.health()).toBe(late.health())
    expect(late.health().state).toBe('down')
    expect(late.age('BTCUSDT')).toBeUndefined()
  })

  test('what was asked is handed over in its order, before the start; what ended is not', async () => {
    const { late, asked, arrive } = noting()
    late.start()
    late.wantQuotes(['BTCUSDT'])
    const off = late.wantDepth('ETHUSDT')
    late.onQuote('BTCUSDT', () => undefined)
    off()
    expect(asked).toEqual([])
    await arrive()
    expect(asked).toEqual(['wantQuotes BTCUSDT', 'onQuote BTCUSDT', 'start'])
  })

  test('a feed that was stopped again does not start', async () => {
    const { late, asked, arrive } = noting()
    late.start()
    late.stop()
    await arrive()
    expect(asked).toEqual([])
  })
})

test('afterwards everything goes straight through, and what was handed over can be ended', async () => {
  const { late, asked, arrive } = noting()
  late.start()
  const off = late.wantQuotes(['BTCUSDT'])
  await arrive()
  const other = late.wantDepth('ETHUSDT')
  off()
  other()
  expect(asked).toEqual(['wantQuotes BTCUSDT', 'start', 'wantDepth ETHUSDT', 'end of wantQuotes BTCUSDT', 'end of wantDepth ETHUSDT'])
  expect(late.quotes()).toEqual(['quote'])
})
