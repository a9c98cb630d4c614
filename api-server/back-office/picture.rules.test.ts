import { expect, test } from 'vitest'
import { picturesOf, reviewAddress } from '#api-server/back-office/picture.rules.ts'

test.each([
  ['/api/upload/0123abcd', '/console/desk/picture/0123abcd'],
  ['0123abcd', '/console/desk/picture/0123abcd'],
])('%s is seen at %s', (address, seen) => {
  expect(reviewAddress(address)).toBe(seen)
})

test('pictures of a row are numbered', () => {
  expect(picturesOf(['/api/upload/aa', '/api/upload/bb'])).toEqual([
    { id: '1', src: '/console/desk/picture/aa' },
    { id: '2', src: '/console/desk/picture/bb' },
  ])
  expect(picturesOf([])).toEqual([])
})
