import { expect, test } from 'vitest'
import { mayLink, mayShow } from '#widgets/parts/address.rules.ts'

test.each([
  ['https://tessera.example/a?b=c', true, false],
  ['HTTPS://tessera.example', true, false],
  ['http://tessera.example', true, false],
  ['/pictures/a.webp', false, true],
  ['//other.example/a.png', false, false],
  ['/\\other.example/a.png', false, false],
  ['javascript:alert(1)', false, false],
  ['java\tscript:alert(1)', false, false],
  [' https://tessera.example', false, false],
  ['data:text/html,a', false, false],
  ['data:image/svg+xml,a', false, false],
  ['blob:https://tessera.example/a', false, false],
  ['mailto:a@tessera.example', false, false],
  ['pictures/a.webp', false, false],
  ['https://', false, false],
  ['', false, false],
])('%s', (address, link, picture) => {
  expect({ link: mayLink(address), picture: mayShow(address) }).toEqual({ link, picture })
})
