import { expect, test } from 'vitest'
import type { Candle } from '#contract/calls/market.calls.ts'
import {
  type CandleEvent,
  type CandleState,
  candleLimits,
  indexOfTime,
  join,
  noCandles,
  onlyLastDiffers,
  reduceCandles,
} from '#widgets/candle-chart/candles.rules.ts'

const minute = 60_000
const bar = (at: number, close = '1'): Candle => ({ time: at * minute, open: '1', high: '2', low: '0.5', close, volume: '3' })
const ready = (candles: Candle[], more: Partial<CandleState> = {}): CandleState => ({ ...noCandles, status: 'ready', candles, ...more })
const after = (state: CandleState, ...events: CandleEvent[]) => events.reduce((now, event) => reduceCandles(now, event, '1m'), state)
const shown = (state: CandleState) => state.candles.map(({ time, close }) => `${time / minute}:${close}`).join(' ')

test('joins by time, sorted, the second list wins', () => {
  expect(join([bar(3), bar(1)], [bar(2), bar(3, '9')]).map(({ time, close }) => [time / minute, close])).toEqual([
    [1, '1'],
    [2, '1'],
    [3, '9'],
  ])
})

test.each<[string, CandleState, CandleEvent, Partial<CandleState> & { shows: string }]>([
  ['the first page', noCandles, { kind: 'newest', list: [bar(1), bar(2)] }, { status: 'ready', shows: '1:1 2:1' }],
  ['a market without candles', noCandles, { kind: 'newest', list: [] }, { status: 'ready', shows: '' }],
  ['a failed first page', noCandles, { kind: 'failed' }, { status: 'failed', shows: '' }],
  ['a failed repair keeps what there is', ready([bar(1)], { repair: 5 }), { kind: 'failed' }, { status: 'ready', repair: 0, shows: '1:1' }],
  [
    'a repair overwrites',
    ready([bar(1), bar(2)], { repair: 5 }),
    { kind: 'newest', list: [bar(2, '7'), bar(3)] },
    { repair: 0, shows: '1:1 2:7 3:1' },
  ],
  [
    'a page after a hole replaces all',
    ready([bar(1)], { older: 'end' }),
    { kind: 'newest', list: [bar(9)] },
    { older: 'idle', shows: '9:1' },
  ],
  [
    'a page that follows on joins',
    ready([bar(1)], { older: 'end' }),
    { kind: 'newest', list: [bar(2)] },
    { older: 'end', shows: '1:1 2:1' },
  ],
  ['asking for older candles', ready([bar(5)]), { kind: 'ask-older' }, { older: 'loading', shows: '5:1' }],
  [
    'older candles',
    ready([bar(5)], { older: 'loading' }),
    { kind: 'older', list: [bar(3), bar(4), bar(5, '8')] },
    { older: 'idle', shows: '3:1 4:1 5:1' },
  ],
  ['no older candles', ready([bar(5)], { older: 'loading' }), { kind: 'older', list: [bar(5)] }, { older: 'end', shows: '5:1' }],
  [
    'older candles that failed may be asked for again',
    ready([bar(5)], { older: 'loading' }),
    { kind: 'older-failed' },
    { older: 'idle', shows: '5:1' },
  ],
  ['the open candle moves', ready([bar(1), bar(2)]), { kind: 'live', candle: bar(2, '6'), final: false }, { repair: 0, shows: '1:1 2:6' }],
  ['the candle closes', ready([bar(1)]), { kind: 'live', candle: bar(1, '6'), final: true }, { final: true, shows: '1:6' }],
  [
    'the next opens after a close',
    ready([bar(1)], { final: true }),
    { kind: 'live', candle: bar(2), final: false },
    { final: false, repair: 0, shows: '1:1 2:1' },
  ],
  [
    'the next opens, the close was missed',
    ready([bar(1)]),
    { kind: 'live', candle: bar(2), final: false },
    { repair: candleLimits.repair, shows: '1:1 2:1' },
  ],
  [
    'candles were missed: nothing is drawn over the hole',
    ready([bar(1)]),
    { kind: 'live', candle: bar(9), final: false },
    { repair: candleLimits.page, shows: '1:1' },
  ],
  [
    'a late message changes nothing',
    ready([bar(1), bar(2)]),
    { kind: 'live', candle: bar(1, '6'), final: true },
    { final: false, shows: '1:1 2:1' },
  ],
  ['live candles wait for the first page', noCandles, { kind: 'live', candle: bar(1), final: false }, { status: 'loading', shows: '' }],
  ['the first candle of a new market', ready([]), { kind: 'live', candle: bar(1), final: false }, { shows: '1:1' }],
  ['another symbol begins anew', ready([bar(1)], { older: 'end' }), { kind: 'reset' }, { status: 'loading', older: 'idle', shows: '' }],
])('%s', (_, state, event, { shows, ...expected }) => {
  const next = after(state, event)
  expect(shown(next)).toBe(shows)
  expect(next).toMatchObject(expected)
})

test('a message that says nothing new keeps the state', () => {
  const state = ready([bar(1), bar(2)])
  expect(after(state, { kind: 'live', candle: bar(2), final: false })).toBe(state)
})

test('a chart does not grow for ever', () => {
  const many = Array.from({ length: candleLimits.keptMax }, (_, i) => bar(i))
  expect(after(ready([bar(candleLimits.keptMax)]), { kind: 'older', list: many }).older).toBe('end')
})

const base = [bar(1), bar(2), bar(3)]
test.each<[string, Candle[], boolean]>([
  ['the last moved', [...base.slice(0, 2), bar(3, '9')], true],
  ['one more', [...base, bar(4)], true],
  ['nothing moved', base, true],
  ['two more', [...base, bar(4), bar(5)], false],
  ['older ones came', [bar(0), ...base], false],
  ['one in the middle moved', [base[0]!, bar(2, '9'), base[2]!], false],
  ['all are others', [bar(1), bar(2), bar(3)], false],
  ['fewer', base.slice(0, 2), false],
])('only the last differs when %s: %#', (_, next, only) => {
  expect(onlyLastDiffers(base, next)).toBe(only)
})

test.each([
  [1, 0],
  [3, 2],
  [0, -1],
  [2.5, -1],
  [4, -1],
])('minute %f has index %i', (at, index) => {
  expect(indexOfTime(base, at * minute)).toBe(index)
})
