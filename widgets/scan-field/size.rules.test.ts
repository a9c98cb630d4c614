import { expect, test } from 'vitest'
import { fitted } from '#widgets/scan-field/size.rules.ts'

test.each([
  [400, 300, 800, 400, 300],
  [1600, 800, 800, 800, 400],
  [3000, 4000, 1000, 750, 1000],
  [0, 0, 100, 1, 1],
])('%d × %d within %d is %d × %d', (width, height, most, w, h) => {
  expect(fitted(width, height, most)).toEqual({ width: w, height: h })
})
