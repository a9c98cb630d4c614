import { expect, test } from 'vitest'
import type { DepthLevel } from '#contract/feed.ts'
import { depthPicture, distanceOf, heightOf, placeOf, pointAt, stairs, walk } from '#widgets/depth-chart/depth-chart.rules.ts'

const bids: DepthLevel[] = [
  ['99', '0.1'],
  ['98', '0.2'],
  ['96', '0.3'],
]
const asks: DepthLevel[] = [
  ['101', '1'],
  ['102', '1'],
]
const picture = depthPicture(bids, asks)!

test('adds up exactly, from the middle outwards', () => {
  expect(picture.bids.map((p) => p.total)).toEqual(['0.1', '0.3', '0.6'])
  expect(picture.asks.map((p) => p.total)).toEqual(['1', '2'])
})

test('the farther side decides the ends, the middle stands in the middle', () => {
  expect(picture).toMatchObject({ mid: '100', low: '95.8', high: '104.2', most: '2' })
  expect(placeOf(picture, picture.mid)).toBe(0.5)
})

test.each<[string, readonly DepthLevel[], readonly DepthLevel[]]>([
  ['no bids', [], asks],
  ['no asks', bids, []],
  ['nothing', [], []],
])('%s: no picture', (_, b, a) => {
  expect(depthPicture(b, a)).toBeUndefined()
})

test.each([
  ['95.8', 0],
  ['104.2', 1],
  ['102.1', 0.75],
  ['90', 0],
  ['200', 1],
])('a price of %s stands at %f', (price, place) => {
  expect(placeOf(picture, price)).toBeCloseTo(place, 10)
})

test.each([
  ['2', 0.9],
  ['1', 0.45],
  ['0', 0],
])('a total of %s stands at %f of the height', (total, height) => {
  expect(heightOf(picture, total)).toBeCloseTo(height, 10)
})

test('steps go outwards and come back along the ground', () => {
  expect(stairs(picture, 'asks', 84, 100, false)).toBe('M52 100H52V55H62V10H84')
  expect(stairs(picture, 'asks', 84, 100, true)).toBe('M52 100H52V55H62V10H84V100Z')
  expect(stairs(picture, 'bids', 84, 100, false)).toBe('M32 100H32V95.5H22V86.5H2V73H0')
})

test('arrow keys walk from the lowest bid to the highest ask', () => {
  expect(walk(picture).map((p) => p.price)).toEqual(['96', '98', '99', '101', '102'])
})

test.each([
  ['the left edge', 0, '96'],
  ['between two bids: what lies above it', 0.2, '98'],
  ['just below a bid', 0.26, '98'],
  ['just above it', 0.27, '99'],
  ['inside the spread, left', 0.45, '99'],
  ['inside the spread, right', 0.55, '101'],
  ['between two asks: what lies below it', 0.7, '101'],
  ['beyond the last ask', 1, '102'],
])('%s', (_, place, price) => {
  expect(walk(picture)[pointAt(picture, place)]?.price).toBe(price)
})

test.each([
  ['99', '-0.01'],
  ['100', '0'],
  ['102', '0.02'],
])('%s lies %s from the middle', (price, ratio) => {
  expect(distanceOf(picture, price)).toBe(ratio)
})

test('a book of one price does not divide by zero', () => {
  const flat = depthPicture([['5', '1']], [['5', '1']])!
  expect(placeOf(flat, '5')).toBe(0.5)
  expect(stairs(flat, 'bids', 10, 10, true)).not.toContain('NaN')
})
