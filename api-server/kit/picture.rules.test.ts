import { expect, test } from 'vitest'
import { picturesOf, reviewAddress } from '#api-server/kit/picture.rules.ts'

test.each([
  ['/api/upload/0123abcd', '/console/back-office/picture/0123abcd'],
  ['0123abcd', '/console/back-office/picture/0123abcd'],
])('%s is seen at %s', (address, seen) => {
  expect(reviewAddress(address)).toBe(seen)
})

test('pictures of a row are numbered', () => {
  expect(picturesOf(['/api/upload/aa', '/api/upload/bb'])).toEqual([
    { id: '1', src: '/console/back-office/picture/aa' },
    { id: '2', src: '/console/back-office/picture/bb' },
  ])
  expect(picturesOf([])).toEqual([])
})
