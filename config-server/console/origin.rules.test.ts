import { expect, test } from 'vitest'
import { isOwn, type Provenance } from '#config-server/console/origin.rules.ts'

const page: Provenance = {
  method: 'POST',
  marker: '1',
  origin: 'http://127.0.0.1:8080',
  fetchSite: 'same-origin',
  host: '127.0.0.1:8080',
  overTls: false,
}

test.each<[name: string, change: Partial<Provenance>, own: boolean]>([
  ['the console', {}, true],
  ['the console behind TLS', { origin: 'https://ops.example', host: 'ops.example', overTls: true }, true],
  ['the console behind a proxy that is not trusted', { origin: 'https://ops.example', host: 'ops.example' }, true],
  ['a program', { origin: undefined, fetchSite: undefined }, true],
  ['an older browser', { fetchSite: undefined }, true],
  ['a form of another page', { marker: undefined, origin: 'https://evil.example', fetchSite: 'cross-site' }, false],
  ['a change without the marker', { marker: undefined }, false],
  ['a marker of another value', { marker: 'yes' }, false],
  ['another origin', { origin: 'https://evil.example' }, false],
  ['another port', { origin: 'http://127.0.0.1:8081' }, false],
  ['a frame without an origin', { origin: 'null' }, false],
  ['http in a page that has TLS', { origin: 'http://ops.example', host: 'ops.example', overTls: true }, false],
  ['no host', { host: undefined }, false],
  ['a sister domain', { origin: undefined, fetchSite: 'same-site' }, false],
  ['another site', { origin: undefined, fetchSite: 'cross-site' }, false],
  ['a change that was navigated to', { origin: undefined, fetchSite: 'none' }, false],
  ['a read without the marker', { method: 'GET', marker: undefined, origin: undefined }, true],
  ['a read that was navigated to', { method: 'GET', marker: undefined, origin: undefined, fetchSite: 'none' }, true],
  ['a read of another site', { method: 'GET', marker: undefined, origin: undefined, fetchSite: 'cross-site' }, false],
  ['a read of another origin', { method: 'GET', origin: 'https://evil.example', fetchSite: undefined }, false],
])('%s', (_name, change, own) => {
  expect(isOwn({ ...page, ...change })).toBe(own)
})
