import { describe, expect, test } from 'vitest'
import { isAt, keyed, percentOf, placeOf, type Scale, scaleOf, stopsOf, type Track, valueAt } from '#widgets/slider-field/slide.rules.ts'

const scale = (track: Track): Scale => {
  const made = scaleOf(track)
  if (!made) throw new Error(`no scale for ${JSON.stringify(track)}`)
  return made
}
const leverage: Track = { min: '1', max: '125', step: '1' }
const balance: Track = { min: '10', most: '1250.507', step: '0.01', percent: true }
const dust: Track = { max: '0.00000000000000000007', step: '0.00000000000000000001' }
const huge: Track = { max: '99999999999999999999', step: '0.00000001' }

test.each<[string, Track, [string, string, number] | undefined]>([
  ['every step has a place', leverage, ['1', '125', 124]],
  ['a fine track has a thousand', { max: '1250.507', step: '0.01' }, ['0', '1250.5', 1_000]],
  ['percent begin at nothing, whatever the least is', balance, ['0', '1250.5', 1_000]],
  ['steps count from the least', { min: '3', max: '22', step: '5' }, ['3', '18', 3]],
  ['from half a step on', { min: '0.5', max: '2.5', step: '1' }, ['0.5', '2.5', 2]],
  ['the smaller of max and most ends it', { max: '100', most: '40' }, ['0', '40', 40]],
  ['and so the other way round', { max: '40', most: '100' }, ['0', '40', 40]],
  ['steps of twenty decimals', dust, ['0', '0.00000000000000000007', 7]],
  ['no end', { min: '1' }, undefined],
  ['nothing to give', { max: '0' }, undefined],
  ['less than one step', { max: '0.5' }, undefined],
  ['an end that is no amount', { max: 'soon' }, undefined],
  ['one end of two that is no amount', { max: '10', most: '' }, undefined],
  ['below nothing', { min: '-5', max: '5' }, undefined],
  ['a step of nothing', { max: '5', step: '0' }, undefined],
  ['ends the wrong way round', { min: '9', max: '3' }, undefined],
])('%s', (_, track, wanted) => {
  const made = scaleOf(track)
  expect(made && [made.low.toFixed(), made.high.toFixed(), made.places]).toEqual(wanted)
})

test.each<[string, Track, number, string]>([
  ['the first place', leverage, 0, '1'],
  ['one step', leverage, 1, '2'],
  ['the last place', leverage, 124, '125'],
  ['a tenth is exact, where a float has 0.30000000000000004', { max: '1', step: '0.1' }, 3, '0.3'],
  ['a share is cut to the step, never rounded up', balance, 250, '312.62'],
  ['the last place is the greatest multiple', balance, 1_000, '1250.5'],
  ['more digits than a float has', huge, 333, '33299999999999999999.667'],
  ['the smallest step', dust, 3, '0.00000000000000000003'],
  ['left of the track', leverage, -4, '1'],
  ['right of the track', leverage, 999, '125'],
])('%s', (_, track, place, value) => {
  expect(valueAt(scale(track), place)).toBe(value)
})

test.each<[Track, string, number, number]>([
  [leverage, '1', 0, 1],
  [leverage, '125', 124, 100],
  [leverage, '63', 62, 50],
  [leverage, '500', 124, 100],
  [leverage, '', 0, 0],
  [leverage, 'ten', 0, 0],
  [balance, '312.62', 250, 25],
  [balance, '312.6', 250, 25],
  [balance, '0.5', 0, 0],
  [balance, '1250.49', 1_000, 99],
  [balance, '1250.5', 1_000, 100],
])('on %j, %j stands at place %d and is %d percent', (track, text, place, percent) => {
  expect([placeOf(scale(track), text), percentOf(scale(track), text)]).toEqual([place, percent])
})

test('each place of a track with all its steps is its own value', () => {
  const made = scale(leverage)
  for (let place = 0; place <= made.places; place++) expect(placeOf(made, valueAt(made, place))).toBe(place)
})

test.each<[string, Track, string[] | undefined, [string, string, number][]]>([
  [
    'both ends',
    leverage,
    undefined,
    [
      ['1', '1', 0],
      ['125', '125', 1],
    ],
  ],
  [
    'values',
    { max: '100', step: '1' },
    ['0', '50', '100'],
    [
      ['0', '0', 0],
      ['50', '50', 0.5],
      ['100', '100', 1],
    ],
  ],
  ['outside, between steps, no amount', { min: '5', max: '100', step: '5' }, ['1', '7', 'x', '10', '105'], [['10', '10', 5 / 95]]],
  [
    'percent',
    { max: '9', percent: true },
    undefined,
    [
      ['0', '0', 0],
      ['25', '2', 0.25],
      ['50', '4', 0.5],
      ['75', '6', 0.75],
      ['100', '9', 1],
    ],
  ],
  ['percent beyond all', { max: '9', percent: true }, ['50', '150'], [['50', '4', 0.5]]],
])('stops: %s', (_, track, marks, wanted) => {
  expect(stopsOf(scale(track), track.percent ?? false, marks).map(({ mark, value, at }) => [mark, value, at])).toEqual(wanted)
})

describe('keys', () => {
  test.each<[string, Track, string, string, string | undefined]>([
    ['one step up', leverage, '10', 'ArrowRight', '11'],
    ['one step down', leverage, '10', 'ArrowDown', '9'],
    ['not beyond the end', leverage, '125', 'ArrowUp', undefined],
    ['not below the start', leverage, '1', 'ArrowLeft', undefined],
    ['from nothing entered', leverage, '', 'ArrowRight', '2'],
    ['from nothing entered to the start', leverage, '', 'Home', '1'],
    ['one of a hundred parts', balance, '312.62', 'ArrowRight', '325.13'],
    ['back on the grid from between two steps', { max: '100', step: '5' }, '12', 'ArrowRight', '15'],
    ['and downwards', { max: '100', step: '5' }, '12', 'ArrowLeft', '10'],
    ['back from beyond', leverage, '500', 'ArrowLeft', '125'],
    ['the next stop', balance, '312.62', 'PageUp', '625.25'],
    ['the stop before', balance, '312.62', 'PageDown', '0'],
    ['from the last stop', balance, '1250.5', 'PageUp', undefined],
    ['the start', balance, '3', 'Home', '0'],
    ['the end', balance, '3', 'End', '1250.5'],
    ['the end again, written otherwise', balance, '1250.50', 'End', undefined],
    ['another key', leverage, '10', 'a', undefined],
  ])('%s', (_, track, text, key, value) => {
    const made = scale(track)
    expect(keyed(made, stopsOf(made, track.percent ?? false), text, key)).toBe(value)
  })
})

test('without a whole percent keep their places and lead nowhere, and values do not stand there', () => {
  expect(stopsOf(undefined, true).map(({ mark, value, at }) => [mark, value, at])).toEqual([
    ['0', '', 0],
    ['25', '', 0.25],
    ['50', '', 0.5],
    ['75', '', 0.75],
    ['100', '', 1],
  ])
  expect(stopsOf(undefined, false, ['1', '2'])).toEqual([])
})

test.each([
  ['', '', false],
  ['1.50', '1.5', true],
  ['.5', '0.5', false],
  ['', '0', false],
  ['1.5', '1.51', false],
])('%j is %j: %j', (text, value, wanted) => {
  expect(isAt(text, value)).toBe(wanted)
})
