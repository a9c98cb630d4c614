import { expect, test } from 'vitest'
import { fitting, widthAfterKey, withWidth } from '#widgets/split/widths.rules.ts'

test.each([
  [300, 300],
  [300.4, 300],
  [239, 240],
  [0, 240],
  [-50, 240],
  [561, 560],
  [1e9, 560],
  [Number.NaN, 320],
  [Number.POSITIVE_INFINITY, 320],
  [undefined, 320],
])('%s is drawn as %s', (width, px) => {
  expect(fitting(width)).toBe(px)
})

test.each([
  ['ArrowLeft', 320, 336],
  ['ArrowRight', 320, 304],
  ['ArrowLeft', 555, 560],
  ['ArrowRight', 241, 240],
  ['Home', 320, 240],
  ['End', 320, 560],
  ['Enter', 400, 320],
  ['Tab', 320, undefined],
  ['ArrowUp', 320, undefined],
])('%s at %i makes %s', (key, width, px) => {
  expect(widthAfterKey(key, width)).toBe(px)
})

test.each([
  [[], 0, 400, [400, 320]],
  [[], 1, 400, [320, 400]],
  [[250, 500], 1, 100, [250, 240]],
  [[250, 500, 900], 0, 300, [300, 500]],
])('%j with number %i at %i is %j', (widths, at, width, all) => {
  expect(withWidth(widths, at, width)).toEqual(all)
})
