import { expect, test } from 'vitest'
import { mayDraw, mayLink, mayShow } from '#widgets/parts/address.rules.ts'

test.each([
  ['https://tessera.example/a?b=c', true, false, false],
  ['HTTPS://tessera.example', true, false, false],
  ['http://tessera.example', true, false, false],
  ['/pictures/a.webp', false, true, true],
  ['//other.example/a.png', false, false, false],
  ['/\\other.example/a.png', false, false, false],
  ['javascript:alert(1)', false, false, false],
  ['java\tscript:alert(1)', false, false, false],
  [' https://tessera.example', false, false, false],
  ['data:text/html,a', false, false, false],
  ['data:image/svg+xml,a', false, false, true],
  ['blob:https://tessera.example/a', false, false, true],
  ['mailto:a@tessera.example', false, false, false],
  ['pictures/a.webp', false, false, false],
  ['https://', false, false, false],
  ['', false, false, false],
])('%s', (address, link, picture, drawn) => {
  expect({ link: mayLink(address), picture: mayShow(address), drawn: mayDraw(address) }).toEqual({ link, picture, drawn })
})
