import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DepthLevel, DepthMessage, TradePrint } from '#contract/feed.ts'
import { applyDepth, applyTrades, type Book, compareDecimals } from '#renderer/feed/feed-book.ts'

const message = (more: Partial<DepthMessage>): DepthMessage => ({
  action: 'getDepth',
  symbol: 'BTCUSDT',
  type: 'delta',
  epoch: 'e1',
  seq: 11,
  prev: 10,
  bids: [],
  asks: [],
  ts: 5,
  ...more,
})
const snap = (more: Partial<DepthMessage> = {}) =>
  message({
    type: 'snap',
    prev: undefined,
    seq: 10,
    bids: [
      ['99.5', '1'],
      ['100', '2'],
    ],
    asks: [
      ['101', '3'],
      ['100.5', '4'],
    ],
    ...more,
  })
const start = applyDepth(undefined, snap()) as Book

describe('order of decimals', () => {
  const rows: [string, string, number][] = [
    ['9.5', '10', -1],
    ['10', '9.5', 1],
    ['1.50', '1.5', 0],
    ['0.000000000000000001', '0.000000000000000002', -1],
    ['9007199254740993', '9007199254740992', 1],
    ['100', '100.0000', 0],
    ['007', '7', 0],
    ['0', '0.0', 0],
    ['1.09', '1.1', -1],
  ]
  test.each(rows)('%s against %s', (a, b, sign) => expect(Math.sign(compareDecimals(a, b))).toBe(sign))
})

describe('a snapshot', () => {
  test('is sorted best first', () => {
    expect(start.bids.map(([price]) => price)).toEqual(['100', '99.5'])
    expect(start.asks.map(([price]) => price)).toEqual(['100.5', '101'])
    expect(start).toMatchObject({ stale: false, seq: 10, epoch: 'e1', ts: 5 })
  })
  test('that is older than what is shown changes nothing', () => {
    expect(applyDepth(start, snap({ seq: 9, bids: [] }))).toBe(start)
  })
  test('heals a stale book, also with the same number', () => {
    expect(applyDepth({ ...start, stale: true }, snap())).toMatchObject({ stale: false, seq: 10 })
  })
  test('of another epoch counts whatever its number is', () => {
    expect(applyDepth(start, snap({ epoch: 'e2', seq: 1 }))).toMatchObject({ epoch: 'e2', seq: 1 })
  })
  test('with far too many levels is cut to the best', () => {
    const bids = Array.from({ length: 400 }, (_, i): DepthLevel => [String(i + 1), '1'])
    const book = applyDepth(undefined, snap({ bids })) as Book
    expect(book.bids).toHaveLength(100)
    expect(book.bids[0]).toEqual(['400', '1'])
  })
})

describe('a delta', () => {
  test('replaces, adds and removes levels and leaves the old book as it was', () => {
    const next = applyDepth(
      start,
      message({
        bids: [
          ['100', '0'],
          ['99.7', '5'],
          ['99.50', '9'],
        ],
        asks: [
          ['100.4', '1'],
          ['500', '0.000'],
        ],
      }),
    ) as Book
    expect(next.bids).toEqual([
      ['99.7', '5'],
      ['99.50', '9'],
    ])
    expect(next.asks).toEqual([
      ['100.4', '1'],
      ['100.5', '4'],
      ['101', '3'],
    ])
    expect(start.bids).toEqual([
      ['100', '2'],
      ['99.5', '1'],
    ])
    expect(next.seq).toBe(11)
  })
  const gaps: [string, Book | undefined, Partial<DepthMessage>][] = [
    ['before any snapshot', undefined, {}],
    ['on a stale book', { ...start, stale: true }, {}],
    ['that builds on a number we never saw', start, { prev: 11, seq: 12 }],
    ['of another epoch', start, { epoch: 'e2' }],
    ['without the number it builds on', start, { prev: undefined }],
  ]
  test.each(gaps)('%s is a gap', (_, book, more) => expect(applyDepth(book, message(more))).toBe('gap'))
  test.each([[{ seq: 10, prev: 9 }], [{ seq: 3, prev: 2 }]])('that came late (%o) changes nothing', (more) =>
    expect(applyDepth(start, message(more))).toBe(start),
  )
})

describe('what cannot be a book message', () => {
  const broken: Partial<Record<keyof DepthMessage, unknown>>[] = [
    { seq: 'x' },
    { seq: Number.POSITIVE_INFINITY },
    { epoch: 5 },
    { type: 'other' },
    { bids: [['1e5', '1']] },
    { bids: [['-1', '1']] },
    { asks: [['1']] },
    { asks: [[1, 2]] },
    { asks: undefined },
    { asks: 7 },
    { bids: [null] },
  ]
  test.each(broken)('%o throws', (more) => expect(() => applyDepth(start, { ...message({}), ...more } as DepthMessage)).toThrow(TypeError))
})

test('any chain of deltas gives the book that a snapshot of the end would give', () => {
  const price = fc.integer({ min: 1, max: 40 }).map((n) => (n / 4).toFixed(2))
  const level = fc.tuple(price, fc.constantFrom('0', '1', '2.5'))
  fc.assert(
    fc.property(fc.array(fc.array(level, { maxLength: 5 }), { maxLength: 20 }), (rounds) => {
      const sizes = new Map<string, string>()
      let book = applyDepth(undefined, snap({ bids: [], asks: [] })) as Book
      rounds.forEach((asks, i) => {
        for (const [p, size] of asks) sizes.set(p, size)
        book = applyDepth(book, message({ prev: 10 + i, seq: 11 + i, asks })) as Book
      })
      const expected = [...sizes].filter(([, size]) => size !== '0').sort(([a], [b]) => Number(a) - Number(b))
      expect(book.asks).toEqual(expected)
    }),
    { numRuns: 100 },
  )
})

describe('trades', () => {
  const print = (id: number): TradePrint => ({ id: String(id), price: '1', size: '1', side: 'buy', ts: id })
  const many = Array.from({ length: 80 }, (_, i) => print(i + 1))
  test('a snapshot gives the newest 50, newest first', () => {
    const trades = applyTrades([print(0)], snap({ trades: many }))
    expect(trades).toHaveLength(50)
    expect(trades[0]?.id).toBe('80')
    expect(trades.at(-1)?.id).toBe('31')
  })
  test('a delta puts its own in front and keeps 50', () => {
    const before = applyTrades([], snap({ trades: many.slice(0, 50) }))
    const after = applyTrades(before, message({ trades: [print(51), print(52)] }))
    expect(after.slice(0, 3).map((trade) => trade.id)).toEqual(['52', '51', '50'])
    expect(after).toHaveLength(50)
    expect(before[0]?.id).toBe('50')
  })
  test('a message without trades keeps the same list', () => {
    const before = [print(1)]
    expect(applyTrades(before, message({}))).toBe(before)
    expect(applyTrades(before, message({ trades: [] }))).toBe(before)
    expect(applyTrades(before, snap())).toBe(before)
  })
})
