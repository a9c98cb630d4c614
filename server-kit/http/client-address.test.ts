import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress, clientKey } from '#server-kit/http/client-address.ts'
import { createSecurity } from '#server-kit/http/security-headers.ts'

const request = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage
const { trusts } = createSecurity({ trustProxy: ['10.0.0.0/8'] })

test.each<[name: string, remote: string, forwarded: string | undefined, address: string]>([
  ['the connection', '203.0.113.9', undefined, '203.0.113.9'],
  ['what a trusted proxy says', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['the last hop that nobody vouches for', '10.0.0.1', '1.1.1.1, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
  ['never what a stranger says', '198.51.100.1', '203.0.113.9', '198.51.100.1'],
  ['nobody, behind a proxy on this machine that is not trusted', '127.0.0.1', '203.0.113.9', 'proxy'],
  ['this machine', '::1', undefined, '::1'],
])('the address of a client is %s', (_, remote, forwarded, address) => {
  expect(clientAddress(request(remote, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }), trusts)).toBe(address)
})

test.each<[name: string, remote: string, headers: Record<string, string>, key: string | undefined]>([
  ['an IPv4 address', '::ffff:203.0.113.9', {}, '203.0.113.9'],
  ['the /64 of an IPv6 address', '2001:db8:1:2:3::4', {}, '2001:db8:1:2/64'],
  ['this machine', '127.0.0.1', {}, '127.0.0.1'],
  ['nothing, behind a proxy on this machine that is not trusted', '127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }, undefined],
  ['itself, for a stranger who claims to be a proxy', '198.51.100.1', { 'x-forwarded-for': '203.0.113.9' }, '198.51.100.1'],
])('a client is counted by %s', (_, remote, headers, key) => {
  expect(clientKey(request(remote, headers), trusts)).toBe(key)
})
