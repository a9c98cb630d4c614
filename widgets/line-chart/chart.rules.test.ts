import { describe, expect, test } from 'vitest'
import {
  dotsOf,
  extremesOf,
  heightOf,
  momentAt,
  nextMoment,
  type Picture,
  pathOf,
  pictureOf,
  placeOf,
  type Series,
} from '#widgets/line-chart/chart.rules.ts'

const day = 86_400_000
const start = 1_700_000_000_000
const line = (...values: (string | null)[]): Series => ({
  id: 'a',
  label: 'A',
  points: values.map((value, i) => ({ at: start + i * day, value })),
})
const picture = (...series: Series[]): Picture => {
  const made = pictureOf(series)
  if (!made) throw new Error('no picture')
  return made
}

test.each<[string, string[], string[]]>([
  ['whole numbers', ['3', '17'], ['0', '5', '10', '15', '20']],
  ['round values around them', ['112', '188'], ['100', '120', '140', '160', '180', '200']],
  ['tenths are exact', ['0.1', '0.7'], ['0.0', '0.2', '0.4', '0.6', '0.8']],
  ['far behind the dot', ['0.00000012', '0.0000002'], ['0.00000012', '0.00000014', '0.00000016', '0.00000018', '0.00000020']],
  ['below nothing', ['-30', '40'], ['-40', '-20', '0', '20', '40']],
  ['losses alone', ['-9', '-1'], ['-10', '-8', '-6', '-4', '-2', '0']],
  ['an even line has room above and below', ['50', '50'], ['46', '48', '50', '52', '54']],
  ['nothing at all', ['0', '0'], ['-0.5', '0.0', '0.5']],
  ['more digits than a float has', ['99999999999999999999', '0'], ['0', '50000000000000000000', '100000000000000000000']],
])('axis of %s', (_, values, texts) => {
  const { ticks, low, high } = picture(line(...values))
  expect(ticks.map(({ text }) => text)).toEqual(texts)
  expect([ticks[0]!.place, ticks.at(-1)!.place]).toEqual([0, 1])
  expect([low, high]).toEqual([Number(texts[0]), Number(texts.at(-1))])
})

test.each<[string, Series[], boolean]>([
  ['no series', [], false],
  ['no points', [line()], false],
  ['gaps only', [line(null, null)], false],
  ['text that is no decimal', [line('soon', '1e5', '')], false],
  ['one point', [line('1')], true],
  ['the second has one', [line(), line('1')], true],
])('%s', (_, series, drawn) => {
  expect(pictureOf(series) !== undefined).toBe(drawn)
})

test('points in another order and in seconds stand in theirs', () => {
  const points = [
    { at: (start + day) / 1_000, value: '2' },
    { at: start, value: '1' },
  ]
  expect(picture({ id: 'a', label: 'A', points }).moments).toEqual([start, start + day])
})

describe('the path', () => {
  test.each<[string, (string | null)[], boolean, string]>([
    ['a line', ['0', '10', '0'], false, 'M0 100L50 0L100 100'],
    ['a gap', ['0', null, '10', '0'], false, 'M66.7 0L100 100'],
    ['a point alone is no line', ['5'], false, ''],
    ['an area', ['0', '10', '0'], true, 'M0 100L50 0L100 100L100 100L0 100Z'],
    [
      'an area of two pieces, without the lone point',
      ['0', '10', null, '4', null, '10', '0'],
      true,
      'M0 100L16.7 0L16.7 100L0 100ZM83.3 0L100 100L100 100L83.3 100Z',
    ],
  ])('%s', (_, values, closed, path) => {
    expect(pathOf(picture(line(...values)), 0, 100, 100, closed)).toBe(path)
  })

  test.each([
    [['0', null, '10', '0', null, '5'], 'M0 100h0M100 50h0'],
    [['0', '10'], ''],
  ])('points of %j that stand alone are dots', (values, path) => {
    expect(dotsOf(picture(line(...values)), 0, 100, 100)).toBe(path)
  })

  test('two series share the axes', () => {
    const both = picture(line('0', '10'), { id: 'b', label: 'B', points: [{ at: start + 3 * day, value: '5' }] })
    expect(pathOf(both, 0, 300, 100)).toBe('M0 100L100 0')
    expect([pathOf(both, 1, 300, 100), dotsOf(both, 1, 300, 100)]).toEqual(['', 'M300 50h0'])
    expect(pathOf(both, 2, 300, 100)).toBe('')
  })
})

test('places are between nought and one', () => {
  const made = picture(line('0', '10', '20'))
  expect(made.moments.map((at) => placeOf(made, at))).toEqual([0, 0.5, 1])
  expect(['0', '5', '20'].map((value) => heightOf(made, value))).toEqual([0, 0.25, 1])
})

test.each([
  [-1, 0],
  [0, 0],
  [0.2, 0],
  [0.3, 1],
  [0.51, 1],
  [0.76, 2],
  [2, 2],
])('place %f is moment %d of three', (place, moment) => {
  expect(momentAt(picture(line('1', '2', '3')), place)).toBe(moment)
})

test('the only moment is found everywhere', () => {
  expect([0, 0.5, 1].map((place) => momentAt(picture(line('1')), place))).toEqual([0, 0, 0])
})

test.each([
  ['ArrowLeft', 5, 4],
  ['ArrowRight', 5, 6],
  ['ArrowLeft', 0, 0],
  ['ArrowRight', 99, 99],
  ['PageUp', 5, 15],
  ['PageDown', 5, 0],
  ['Home', 5, 0],
  ['End', 5, 99],
  ['Escape', 5, 'none'],
  ['Tab', 5, undefined],
  ['constructor', 5, undefined],
])('%s from %d of a hundred leads to %j', (key, from, to) => {
  expect(nextMoment(key, from, 99)).toBe(to)
})

test.each([
  [['2', '10', '-1.50'], { low: '-1.50', high: '10' }],
  [['3'], { low: '3', high: '3' }],
  [[], undefined],
])('extremes of %j', (values, wanted) => {
  expect(extremesOf(new Map(values.map((value, i) => [i, value])))).toEqual(wanted)
})
