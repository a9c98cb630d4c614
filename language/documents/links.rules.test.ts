import { describe, expect, test } from 'vitest'
import { linkHost, mayOpen } from '#language/documents/links.rules.ts'

describe('links obey the list, for lint and for the app', () => {
  test.each([
    ['https://tessera.example/a', true, 'tessera.example'],
    ['https://help.tessera.example', true, 'help.tessera.example'],
    ['http://tessera.example', false, undefined],
    ['https://eviltessera.example', false, 'eviltessera.example'],
    ['https://tessera.example.evil.test', false, 'tessera.example.evil.test'],
    ['https://tessera.example@evil.test', false, undefined],
    ['https://user@tessera.example', false, undefined],
    ['javascript:alert(1)', false, undefined],
    ['//tessera.example', false, undefined],
    ['', false, undefined],
  ])('%s: %s', (url, may, host) => expect([mayOpen(url, ['tessera.example']), linkHost(url)]).toEqual([may, host]))
})
