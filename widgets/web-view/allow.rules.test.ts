import { expect, test } from 'vitest'
import { allowedAddress } from '#widgets/web-view/allow.rules.ts'

const hosts = ['help.tessera.example', 'tessera.example']

test.each([
  ['https://help.tessera.example/fees?a=b#c', 'https://help.tessera.example/fees?a=b#c'],
  ['https://HELP.tessera.example', 'https://help.tessera.example/'],
  ['https://help.tessera.example:443/', 'https://help.tessera.example/'],
  ['http://help.tessera.example/', null],
  ['https://help.tessera.example:8443/', null],
  ['https://other.example/', null],
  ['https://a.help.tessera.example/', null],
  ['https://help.tessera.example.evil.example/', null],
  ['https://help.tessera.example@evil.example/', null],
  ['https://me:secret@help.tessera.example/', null],
  ['https://evil.example\\@help.tessera.example/', null],
  ['https://tessera.example/app', null], // the app's own host
  ['javascript:alert(1)//https://help.tessera.example', null],
  ['data:text/html,a', null],
  ['//help.tessera.example/', null],
  ['/fees', null],
  ['', null],
])('%s', (url, out) => {
  expect(allowedAddress(url, hosts, 'tessera.example')).toBe(out)
})
