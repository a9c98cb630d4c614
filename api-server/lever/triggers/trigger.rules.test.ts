import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dueAt, firstDue, unitsOf, unseenSince, type Watched, watch } from '#api-server/lever/triggers/trigger.rules.ts'
import { createTriggers } from '#api-server/lever/triggers/triggers.ts'

const position: Watched = {
  id: 1,
  rev: 1,
  symbol: 'BTCUSDT',
  side: 'long',
  state: 'open',
  since: 10,
  limit: null,
  tp: 120,
  tpSince: 10,
  sl: 90,
  slSince: 10,
  liquidation: 80,
  exitSince: null,
}

test.each<[string, Partial<Watched>, number, number, string | undefined]>([
  ['long, between its levels', {}, 100, 11, undefined],
  ['long, take profit reached', {}, 120, 11, 'take_profit'],
  ['long, stop loss reached', {}, 90, 11, 'stop_loss'],
  ['long, both passed: the stop was met first', {}, 70, 11, 'stop_loss'],
  ['long, a stop beyond the liquidation', { sl: 75 }, 70, 11, 'liquidated'],
  ['long, a stop at the liquidation', { sl: 80 }, 80, 11, 'stop_loss'],
  ['long, without a stop', { sl: null }, 80, 11, 'liquidated'],
  ['long, that no price liquidates', { sl: null, liquidation: null }, 1, 11, undefined],
  ['short, take profit reached', { side: 'short', tp: 80, sl: 110, liquidation: 120 }, 80, 11, 'take_profit'],
  ['short, stop loss reached', { side: 'short', tp: 80, sl: 110, liquidation: 120 }, 110, 11, 'stop_loss'],
  ['short, liquidated', { side: 'short', tp: null, sl: 130, liquidation: 120 }, 125, 11, 'liquidated'],
  ['not by the tick that it was opened at', {}, 70, 10, undefined],
  ['not by a take profit that is newer', { tpSince: 11 }, 120, 11, undefined],
  ['by the liquidation while the stop is newer', { slSince: 11 }, 70, 11, 'liquidated'],
  ['closed at the opening', { exitSince: 10 }, 100, 11, 'user'],
  ['closed at the opening, not by an earlier tick', { exitSince: 11 }, 100, 11, undefined],
  ['closed at the opening, beyond its stop', { exitSince: 10 }, 85, 11, 'stop_loss'],
  ['closed at the opening, beyond its liquidation', { exitSince: 10, sl: null }, 70, 11, 'liquidated'],
  ['a long order below its limit', { state: 'entrust', limit: 100 }, 99, 11, 'fill'],
  ['a long order at its limit', { state: 'entrust', limit: 100 }, 100, 11, 'fill'],
  ['a long order above its limit', { state: 'entrust', limit: 100 }, 101, 11, undefined],
  ['a short order above its limit', { state: 'entrust', side: 'short', limit: 100 }, 101, 11, 'fill'],
  ['an order for the opening', { state: 'entrust', limit: null }, 5, 11, 'fill'],
  ['an order, not by an earlier tick', { state: 'entrust', limit: 100 }, 99, 10, undefined],
])('%s', (_says, over, mark, tick, due) => {
  expect(dueAt({ ...position, ...over }, mark, tick)).toBe(due)
})

test.each<[string, Partial<Watched>, number | undefined]>([
  ['nothing that prices act on', { rev: 2 }, undefined],
  ['a stop loss', { sl: 91, slSince: 20 }, 20],
  ['two levels', { sl: 91, slSince: 20, tp: 119, tpSince: 15 }, 15],
  ['margin', { liquidation: 70, since: 30 }, 30],
  ['the request to close at the opening', { exitSince: 25 }, 25],
])('of a change of %s, the ticks after it count', (_says, over, since) => {
  expect(unseenSince({ ...position, ...over }, position)).toBe(since)
})
test('of a new row all ticks count', () => expect(unseenSince(position, undefined)).toBe(10))

test.each(['closed', 'closing', 'cancelled'])('nothing acts on a row that is %s', (state) => {
  const levels = {
    type: 'market',
    price: null,
    tp: '1',
    sl: '2',
    liquidation: '3',
    since: 1,
    tp_since: 1,
    sl_since: 1,
    exit_since: null,
  } as const
  expect(watch({ id: 1, rev: 1, symbol: 'X', side: 'long', state, ...levels }, 2)).toBeUndefined()
})
test.each([
  ['50000', 2, 5_000_000],
  ['0.00001', 5, 1],
  ['47738.69', 2, 4_773_869],
])('%s at %s decimals', (price, scale, units) => expect(unitsOf(price, scale)).toBe(units))

test.each<[string, [number, number | undefined][], string | undefined]>([
  [
    'the first that reaches a level, though a later one reaches another',
    [
      [8, 121],
      [11, 121],
      [12, 70],
    ],
    'take_profit 11',
  ],
  [
    'none that acts on nothing',
    [
      [11, undefined],
      [12, 90],
    ],
    'stop_loss 12',
  ],
  [
    'none of before its levels count',
    [
      [9, 70],
      [10, 70],
    ],
    undefined,
  ],
])('of several ticks %s', (_says, ticks, found) => {
  const list = ticks.map(([id, price]) => ({ id, symbol: 'BTCUSDT', price: String(price ?? 1), time: 0, isOpen: price !== undefined }))
  const first = firstDue(position, list, 0)
  expect(first && `${first.due} ${first.tick.id}`).toBe(found)
})

const level = fc.option(fc.integer({ min: 1, max: 60 }), { nil: null })
const someone = fc.record({
  side: fc.constantFrom('long' as const, 'short' as const),
  state: fc.constantFrom('open' as const, 'entrust' as const),
  since: fc.nat(20),
  limit: level,
  tp: level,
  tpSince: fc.nat(20),
  sl: level,
  slSince: fc.nat(20),
  liquidation: level,
  exitSince: fc.option(fc.nat(20), { nil: null }),
})
const step = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), id: fc.integer({ min: 1, max: 40 }), row: someone }),
  fc.record({ kind: fc.constant('remove' as const), id: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ kind: fc.constant('tick' as const), mark: fc.integer({ min: 1, max: 60 }) }),
)

test('what a tick fires is what looking at every row finds, whatever came before', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
      const triggers = createTriggers()
      const all = new Map<number, Watched>()
      let tick = 0
      for (const one of steps) {
        if (one.kind === 'put') {
          const row = { ...one.row, id: one.id, rev: 1, symbol: 'S' }
          all.set(one.id, row)
          triggers.put(row)
        } else if (one.kind === 'remove') {
          all.delete(one.id)
          triggers.remove(one.id)
        } else {
          tick++
          const due = [...all.values()].flatMap((row) => {
            const found = dueAt(row, one.mark, tick)
            return found ? [`${row.id} ${found}`] : []
          })
          const fired = triggers.take('S', one.mark, tick).map(({ row, due }) => `${row.id} ${due}`)
          expect(fired.sort()).toEqual(due.sort())
          for (const text of due) all.delete(Number(text.split(' ')[0]))
        }
        expect(triggers.size()).toBe(all.size)
      }
    }),
    { numRuns: 300 },
  )
})

test('thousands of levels, added and removed in any order, are reached lowest first', () => {
  const triggers = createTriggers()
  const at = (id: number) => ((id * 7_919) % 10_007) + 1
  for (let id = 1; id <= 10_000; id++) triggers.put({ ...position, id, sl: null, liquidation: null, tp: at(id), tpSince: 0 })
  for (let id = 1; id <= 10_000; id += 2) triggers.remove(id)
  const fired = triggers.take('BTCUSDT', 5_000, 11).map(({ row }) => row.tp!)
  expect(fired).toEqual([...fired].sort((a, b) => a - b))
  expect(fired.length).toBe(Array.from({ length: 5_000 }, (_, i) => at(2 * i + 2)).filter((one) => one <= 5_000).length)
  expect(triggers.take('BTCUSDT', 20_000, 11)).toHaveLength(5_000 - fired.length)
})
