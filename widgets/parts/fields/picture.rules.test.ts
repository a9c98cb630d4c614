import { expect, test } from 'vitest'
import { pictureBytesMax, refusalOf } from '#widgets/parts/fields/picture.rules.ts'

test.each([
  ['image/jpeg', 1, undefined],
  ['image/png', pictureBytesMax, undefined],
  ['image/webp', 100, undefined],
  ['image/png', pictureBytesMax + 1, 'size'],
  ['image/png', 0, 'empty'],
  ['image/svg+xml', 100, 'type'],
  ['image/gif', 100, 'type'],
  ['text/html', 0, 'type'],
  ['', 100, 'type'],
])('%s of %d bytes: %s', (type, size, refusal) => {
  expect(refusalOf({ type, size })).toBe(refusal)
})
